/** How long a stamp, which is paid for, waits for what is only useful beside it. */

import type { Call } from '@einvoicing/rpc/call'
import { unavailable } from '@einvoicing/domain/api-error'
import { createLog } from '@einvoicing/runtime/log'
import { openEvidenceThreads } from '../evidence/threads'
import { openHttpClient } from '../time-stamps/http-client'
import { openHttpTimeStamps } from '../time-stamps/http-time-stamps'
import type { RevocationQuery } from '../revocations/revocations'
import { artefactKey } from '../artefact'
import { RecentBytes } from '../recent-bytes'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { signedXml } from '../testdata/signed-xml'
import { timeStampSignature } from './time-stamps'

const organizationId = '11111111-1111-4111-8111-111111111111'
const invoiceId = '00000000-0000-4000-8000-000000000001'
const http = openHttpClient()
const threads = openEvidenceThreads(createLog('silent'))
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await threads.close()
  await http.close()
  await sandbox.stop()
})

const call = (deadline: number): Call => ({
  caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
  requestId: 'test',
  deadline,
})

test.each([
  ['a usual caller', 60_000, 3_000],
  ['a caller with little time, who gets the stamp 2 s before its deadline', 4_500, 2_500],
])('revocation data that does not come is given up in time for %s', async (_, ms, withinMs) => {
  const config = { trustedCertificatesFile: undefined, policy: undefined, user: undefined }
  const timeStamps = openHttpTimeStamps(
    { ...config, url: sandbox.tsaUrl, hash: 'sha256' },
    { http, now: () => new Date() },
  )
  const recentXml = new RecentBytes(1_000_000)
  recentXml.add(artefactKey(organizationId, invoiceId, 'signedXml'), signedXml)
  const waits: number[] = []
  const deadline = Date.now() + ms
  const composer = {
    threads,
    now: () => new Date(),
    readTrust: async () => ({ signers: undefined, timeStamps: await timeStamps.trusted() }),
    revocations: {
      async about(query: RevocationQuery): Promise<never> {
        waits.push(query.deadline - Date.now())
        throw unavailable('Revocation data')
      },
    },
  }
  const stamping = {
    objects: { get: async () => undefined },
    recentXml,
    evidence: { level: 'LTA' as const, timeStamps, hash: 'sha256' as const, composer },
  }
  const answer = await timeStampSignature(stamping, { invoiceId }, call(deadline))
  expect(answer.token!.length).toBeGreaterThan(0)
  expect(Date.parse(answer.evidenceDue!)).toBeLessThanOrEqual(Date.now())
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeLessThanOrEqual(withinMs)
})
