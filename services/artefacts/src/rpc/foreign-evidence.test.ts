/** Evidence in the archive that no process of this service wrote. */

import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AddEvidenceRequest, EvidenceAnswer } from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { systemClock, type Clock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { appendEvidence } from '@einvoicing/verification/evidence'
import { verifyInvoice } from '@einvoicing/verification/verify/report'
import { evidenceKey, stampedKey, toStoredObject } from '../artefact'
import { readArtefactsConfig } from '../config'
import { openFilesystemObjects } from '../objects/filesystem/filesystem-objects'
import type { Objects } from '../objects/objects'
import { openArtefacts, type Artefacts } from '../service'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { makeKeepRequest, otherSignedXml, signedXml, trust } from '../testdata/signed-xml'

const organizationId = '11111111-1111-4111-8111-111111111111'
const call = (): Call => ({
  caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
  requestId: 'test',
  deadline: Date.now() + 60_000,
})
const dates = { invoiceDate: '2026-05-03', signedAt: undefined }
const other = { xml: otherSignedXml, invoiceNumber: 'FA-2026-0002' }

let dataDir: string
let tsa: Sandbox
let objects: Objects
let lines: string[]
const opened: Artefacts[] = []
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'foreign-evidence-'))
  tsa = await startSandbox({ crlSeconds: 1 })
  objects = await openFilesystemObjects(path.join(dataDir, 'artefacts'), systemClock)
})
beforeEach(() => {
  lines = []
})
afterEach(() => Promise.all(opened.splice(0).map((service) => service.close())))
afterAll(async () => {
  await objects.close()
  await tsa.stop()
  await rm(dataDir, { recursive: true })
})

async function open(
  settings: Record<string, string> = {},
  now: Clock = systemClock,
): Promise<Artefacts> {
  const env = new EnvReader({ TSA_URL: tsa.tsaUrl, ENVIRONMENT: 'test', ...settings })
  const config = { ...readArtefactsConfig(env, dataDir), trust }
  const log = createLog('error', { write: (line) => void lines.push(line) })
  const service = await openArtefacts(config, { now, log })
  opened.push(service)
  return service
}

let count = 0
async function stamp({ handlers }: Artefacts, changes: object = {}) {
  count += 1
  const invoiceId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  await handlers.keepSignedXml(makeKeepRequest(invoiceId, changes), call())
  const { token, time } = await handlers.timeStampSignature({ invoiceId }, call())
  return { invoiceId, token: token!, time: time! }
}

type Request = Pick<AddEvidenceRequest, 'invoiceId'> & Partial<AddEvidenceRequest>

async function complete(
  { handlers }: Artefacts,
  { invoiceId, token, artefact }: Request,
): Promise<EvidenceAnswer> {
  for (;;) {
    try {
      const answer = await handlers.addEvidence({ ...dates, invoiceId, token, artefact }, call())
      if (answer.waitUntil === undefined) return answer
      await delay(Date.parse(answer.waitUntil) - Date.now())
    } catch (error) {
      if (!String((error as Error).cause).includes('the authority is late')) throw error
    }
  }
}

const readNumber = async ({ handlers }: Artefacts, invoiceId: string, artefact: number) =>
  (await handlers.readEvidence({ invoiceId, artefact }, call())).content

async function report(content: Buffer, { tsaUrl } = tsa) {
  const root = new X509Certificate(await (await fetch(`${tsaUrl}/root`)).text())
  const signers = [new X509Certificate(await readFile(trust.file!))]
  return verifyInvoice(content, { signers, timeStamps: [root] })
}

const put = (key: string, bytes: Buffer) =>
  objects.put(key, toStoredObject('signedXml', bytes, dates))

/** Of the other document, complete and valid. */
async function makeForeign(service: Artefacts): Promise<Buffer> {
  const stamped = await stamp(service, other)
  await complete(service, stamped)
  return readNumber(service, stamped.invoiceId, 1)
}

test('of another document is skipped and logged; the time stamp is kept', async () => {
  const service = await open()
  const foreign = await makeForeign(service)
  const victim = await stamp(service)
  const key = evidenceKey(organizationId, victim.invoiceId, 1)
  await put(key, foreign)
  const answer = await complete(service, victim)
  expect(answer).toMatchObject({ level: 'XAdES-B-LTA', artefact: 2, timeStampedAt: victim.time })
  const { valid, invoice } = await report(await readNumber(service, victim.invoiceId, 2))
  expect({ valid, number: invoice?.invoiceNumber }).toEqual({ valid: true, number: 'FA-2026-0001' })
  const line = lines.find((each) => each.includes(key))
  expect(line).toMatch(/"level":"error".*is not valid evidence of this invoice/)
  // Also for a store that knows nothing of it, as after a crash.
  expect(await complete(service, victim)).toEqual(answer)
  expect(await complete(service, { invoiceId: victim.invoiceId })).toEqual(answer)
})

test('of this document, but not valid, is skipped too', async () => {
  const service = await open()
  const victim = await stamp(service)
  const token = Buffer.from(victim.token)
  token[token.length - 1] = token.at(-1)! ^ 1
  const forged = appendEvidence(signedXml, [{ kind: 'signatureTimeStamp', token }])
  await put(evidenceKey(organizationId, victim.invoiceId, 1), forged)
  expect(await complete(service, victim)).toMatchObject({ artefact: 2, timeStampedAt: victim.time })
  expect(lines.join('')).toContain('is not valid evidence of this invoice')
})

test('at the place of level LT is followed by level LTA', async () => {
  const service = await open({ EVIDENCE_LEVEL: 'LT' })
  const foreign = await makeForeign(await open())
  const victim = await stamp(service)
  await put(evidenceKey(organizationId, victim.invoiceId, 0), foreign)
  expect(await complete(service, victim)).toMatchObject({ level: 'XAdES-B-LTA', artefact: 1 })
})

test('that the store already names is not renewed, and nothing takes its place', async () => {
  const service = await open()
  const foreign = await makeForeign(service)
  const victim = await stamp(service)
  await put(evidenceKey(organizationId, victim.invoiceId, 1), foreign)
  const request = { ...dates, invoiceId: victim.invoiceId, token: undefined, artefact: 1 }
  const { waitUntil, ...more } = await service.handlers.addEvidence(request, call())
  expect(more).toEqual({})
  expect(Date.parse(waitUntil!)).toBeGreaterThan(Date.now() + 80_000_000)
})

test('that has ended since is this service’s own', async () => {
  const service = await open()
  const { invoiceId, token } = await stamp(service)
  const answer = await complete(service, { invoiceId, token })
  const later = await open({}, () => new Date('2060-01-01'))
  const request = { ...dates, invoiceId, token: undefined, artefact: undefined }
  expect(await later.handlers.addEvidence(request, call())).toEqual(answer)
  expect(lines).toEqual([])
})

describe('of an authority whose certificate ends within a year', () => {
  let authority: Sandbox
  let service: Artefacts
  beforeEach(async () => {
    authority = await startSandbox({ crlSeconds: 1, certificateDays: 300 })
    service = await open({ TSA_URL: authority.tsaUrl })
  })
  afterEach(() => authority.stop())

  async function completeFirst() {
    const { invoiceId, token } = await stamp(service)
    const answer = await complete(service, { invoiceId, token })
    expect(answer).toMatchObject({ artefact: 1 })
    expect(Date.parse(answer.renewBy!)).toBeLessThan(Date.now())
    return { ...dates, invoiceId, token: undefined, artefact: 1 }
  }

  async function removeOriginal(invoiceId: string) {
    const folder = path.join(dataDir, 'artefacts')
    const files = await readdir(folder, { recursive: true })
    const original = files.filter((file) => file.includes(invoiceId) && file.endsWith('signed.xml'))
    expect(original).not.toHaveLength(0)
    for (const file of original) await rm(path.join(folder, file), { recursive: true, force: true })
  }

  async function replaceAuthority() {
    await authority.stop('keep')
    authority = await startSandbox({ crlSeconds: 1, before: authority })
    service = await open({ TSA_URL: authority.tsaUrl })
  }

  test('is renewed also where it is the last copy of its document', async () => {
    const request = await completeFirst()
    await removeOriginal(request.invoiceId)
    await replaceAuthority()
    const renewed = await complete(service, request)
    expect(renewed).toMatchObject({ level: 'XAdES-B-LTA', artefact: 2 })
    const renewal = await report(await readNumber(service, request.invoiceId, 2), authority)
    expect(renewal).toMatchObject({ valid: true, invoice: { invoiceNumber: 'FA-2026-0001' } })
    // For a store that does not know of it, as after a crash.
    expect(await complete(service, request)).toEqual(renewed)
    expect(lines).toEqual([])
  })

  test('is renewed after evidence of others, also where it is the last copy', async () => {
    const foreign = await makeForeign(await open())
    const request = await completeFirst()
    await removeOriginal(request.invoiceId)
    await put(evidenceKey(organizationId, request.invoiceId, 2), foreign)
    await replaceAuthority()
    expect(await complete(service, request)).toMatchObject({ artefact: 3 })
    expect(lines.join('')).toContain('signed-lta-2.xml is not valid evidence of this invoice')
  })

  test('does not replace newer evidence as a copy at the next number', async () => {
    const request = await completeFirst()
    const { invoiceId } = request
    await replaceAuthority()
    const renewed = await complete(service, request)
    expect(renewed).toMatchObject({ artefact: 2, renewBy: undefined })
    await put(evidenceKey(organizationId, invoiceId, 3), await readNumber(service, invoiceId, 1))
    const later = await open(
      { TSA_URL: authority.tsaUrl },
      () => new Date(Date.now() + 3 * 365 * 86_400_000),
    )
    for (const artefact of [2, undefined]) {
      expect(await later.handlers.addEvidence({ ...request, artefact }, call())).toEqual(renewed)
    }
  })
})

test('a time stamp of another document, where one has to be replaced, is skipped', async () => {
  const authority = await startSandbox({ crlSeconds: 1 })
  try {
    const service = await open({ TSA_URL: authority.tsaUrl })
    const victim = await stamp(service)
    await authority.post('revoke')
    await authority.post('replace')
    await delay(2_000)
    const foreign = await makeForeign(service)
    await put(stampedKey(organizationId, victim.invoiceId, 2), foreign)
    const answer = await complete(service, victim)
    expect(answer).toMatchObject({ level: 'XAdES-B-LTA', artefact: 1 })
    expect(answer.timeStampedAt).not.toBe(victim.time)
    expect(lines.join('')).toContain('signed-t-2.xml is not valid evidence of this invoice')
  } finally {
    await authority.stop()
  }
})
