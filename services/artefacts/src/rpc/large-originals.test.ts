import type { Call } from '@einvoicing/rpc/call'
import { createLog } from '@einvoicing/runtime/log'
import { makeKeys, now, signBy, TestAuthority } from '@einvoicing/verification/testdata/long-term'
import { openEvidenceThreads } from '../evidence/threads'
import { RecentBytes } from '../recent-bytes'
import { makeKeepRequest, signedXml } from '../testdata/signed-xml'
import { keepSignedXml } from './store-artefacts'
import { timeStampSignature } from './time-stamps'

const invoiceId = '00000000-0000-4000-8000-000000000001'
const caller = {
  service: 'invoices',
  organizationId: '11111111-1111-4111-8111-111111111111',
  actor: 'service:invoices',
} as const
const call = (): Call => ({ caller, requestId: 'test', deadline: Date.now() + 60_000 })

const threads = openEvidenceThreads(createLog('silent'))
const recentXml = new RecentBytes(10_000_000)
let authority: TestAuthority
let large: Buffer
let usual: Buffer
beforeAll(async () => {
  authority = await TestAuthority.make()
  const keys = await makeKeys()
  const signer = await authority.issueSigner(keys)
  usual = signBy(signer, keys)
  const buyer = '\n<cac:AccountingCustomerParty>'
  const note = `\n<cbc:Note>${'a'.repeat(4_000_000)}</cbc:Note>`
  const enlarged = signedXml.toString().replace(buyer, note + buyer)
  large = signBy(signer, keys, Buffer.from(enlarged))
})
afterAll(() => threads.close())

const keep = (xml: Buffer) => {
  const deps = {
    recentXml,
    threads,
    objects: { put: async () => undefined } as never,
    trusted: { list: async () => [authority.root] } as never,
  }
  return keepSignedXml(deps, makeKeepRequest(invoiceId, { xml }), call())
}

const stamp = (xml: Buffer) => {
  const stamped = {
    token: authority.stamp(),
    time: now,
    certificates: [authority.stamper] as const,
  }
  const timeStamps = { stamp: async () => stamped, certificates: async () => stamped.certificates }
  const composer = { now: () => now, threads } as never
  const evidence = { level: 'T', hash: 'sha256', timeStamps, composer } as const
  const objects = { get: async () => ({ bytes: xml }) as never }
  const empty = new RecentBytes(0)
  return timeStampSignature({ objects, recentXml: empty, evidence }, { invoiceId }, call())
}

async function isDoneAtOnce(work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  await new Promise(setImmediate)
  return isDone
}

test.each([
  ['kept', keep],
  ['time-stamped', stamp],
])('a large original is %s in turns with other work, a usual one at once', async (_, handle) => {
  const work = handle(large)
  expect(await isDoneAtOnce(work)).toBe(false)
  await work
  expect(await isDoneAtOnce(handle(usual))).toBe(true)
})

test('a large original that was changed is not kept', async () => {
  const changed = Buffer.from(large.toString().replace('aaaa', 'bbbb'))
  await expect(keep(changed)).rejects.toThrow(/was changed after it was signed/)
})
