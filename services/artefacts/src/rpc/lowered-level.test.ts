import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AddEvidenceRequest, EvidenceAnswer } from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { systemClock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readArtefactsConfig } from '../config'
import { openArtefacts, type Artefacts } from '../service'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { makeKeepRequest, trust } from '../testdata/signed-xml'

const organizationId = '11111111-1111-4111-8111-111111111111'
const call = (): Call => ({
  caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
  requestId: 'test',
  deadline: Date.now() + 60_000,
})
const dates = { invoiceDate: '2026-05-03', signedAt: undefined }

let dataDir: string
let tsa: Sandbox
const opened: Artefacts[] = []
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'lowered-level-'))
  // Renewal is due at once.
  tsa = await startSandbox({ crlSeconds: 1, certificateDays: 300 })
})
afterEach(() => Promise.all(opened.splice(0).map((service) => service.close())))
afterAll(async () => {
  await tsa.stop()
  await rm(dataDir, { recursive: true })
})

async function open(settings: Record<string, string> = {}): Promise<Artefacts> {
  const env = new EnvReader({ TSA_URL: tsa.tsaUrl, ENVIRONMENT: 'test', ...settings })
  const config = { ...readArtefactsConfig(env, dataDir), trust }
  const service = await openArtefacts(config, { now: systemClock, log: createLog('silent') })
  opened.push(service)
  return service
}

let count = 0
async function stamp({ handlers }: Artefacts): Promise<{ invoiceId: string; token: Buffer }> {
  count += 1
  const invoiceId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  await handlers.keepSignedXml(makeKeepRequest(invoiceId), call())
  const { token } = await handlers.timeStampSignature({ invoiceId }, call())
  return { invoiceId, token: token! }
}

type Request = Pick<AddEvidenceRequest, 'invoiceId'> & Partial<AddEvidenceRequest>

async function complete({ handlers }: Artefacts, request: Request): Promise<EvidenceAnswer> {
  for (;;) {
    try {
      const answer = await handlers.addEvidence({ ...dates, ...request }, call())
      if (answer.waitUntil === undefined) return answer
      await delay(Date.parse(answer.waitUntil) - Date.now())
    } catch (error) {
      if (!String((error as Error).cause).includes('the authority is late')) throw error
    }
  }
}

test.each(['B', 'T', 'LT'])('evidence is renewed with EVIDENCE_LEVEL %s, too', async (level) => {
  const before = await open()
  const { invoiceId, token } = await stamp(before)
  expect(await complete(before, { invoiceId, token })).toMatchObject({ artefact: 1 })
  await tsa.post('replace')
  await stamp(await open())
  const lowered = await open({ EVIDENCE_LEVEL: level })
  const renewed = { level: 'XAdES-B-LTA', artefact: 2 }
  expect(await complete(lowered, { invoiceId, artefact: 1 })).toMatchObject(renewed)
  const fresh = await stamp(before)
  if (level !== 'LT') expect(await complete(lowered, fresh)).toEqual({})
})

test('a renewal waits for a day while there is no authority, and nothing new begins', async () => {
  const before = await open()
  const { invoiceId, token } = await stamp(before)
  expect(await complete(before, { invoiceId, token })).toMatchObject({ artefact: 1 })
  const { handlers } = await open({ TSA_URL: '' })
  const held = { ...dates, invoiceId, token: undefined, artefact: 1 }
  const { waitUntil = '', ...more } = await handlers.addEvidence(held, call())
  expect(more).toEqual({})
  expect(Date.parse(waitUntil)).toBeGreaterThan(Date.now() + 80_000_000)
  const first = { ...dates, invoiceId, token, artefact: undefined }
  expect(await handlers.addEvidence(first, call())).toEqual({})
})
