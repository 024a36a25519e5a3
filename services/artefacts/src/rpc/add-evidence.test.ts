import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { promises as fs } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { EvidenceAnswer } from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { systemClock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { verifyInvoice, type Report } from '@einvoicing/verification/verify/report'
import { readArtefactsConfig } from '../config'
import { openArtefacts, type Artefacts } from '../service'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { makeKeepRequest, signedXml, trust } from '../testdata/signed-xml'

const organizationId = '11111111-1111-4111-8111-111111111111'
const call = (): Call => ({
  caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
  requestId: 'test',
  deadline: Date.now() + 60_000,
})

let dataDir: string
let sandbox: Sandbox
let artefacts: Artefacts
let root: X509Certificate
let signers: X509Certificate[]

const open = (settings: Record<string, string> = {}) => {
  const env = new EnvReader({ TSA_URL: sandbox.tsaUrl, ENVIRONMENT: 'test', ...settings })
  const config = { ...readArtefactsConfig(env, dataDir), trust }
  return openArtefacts(config, { now: systemClock, log: createLog('silent') })
}

beforeAll(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'add-evidence-'))
  sandbox = await startSandbox({ crlSeconds: 1 })
  artefacts = await open()
  root = new X509Certificate(await (await fetch(`${sandbox.tsaUrl}/root`)).text())
  signers = [new X509Certificate(await fs.readFile(trust.file!))]
})

afterAll(async () => {
  await artefacts.close()
  await sandbox.stop()
  await fs.rm(dataDir, { recursive: true, force: true })
})

let count = 0
const dates = { invoiceDate: '2026-05-03', signedAt: undefined }

/** An invoice whose original is kept, and its time stamp. */
async function stamped(by = artefacts) {
  count += 1
  const invoiceId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  await by.handlers.keepSignedXml(makeKeepRequest(invoiceId), call())
  const answer = await by.handlers.timeStampSignature({ invoiceId }, call())
  return { invoiceId, token: answer.token!, evidenceDue: answer.evidenceDue }
}

type Request = Parameters<Artefacts['handlers']['addEvidence']>[0]

/**
 * Asks until there is no need to wait, as the invoices service does: on a busy machine, a list that
 * lives for a second is already late when it is read, which is answered as unavailable.
 */
async function complete(
  request: Pick<Request, 'invoiceId'> & Partial<Request>,
  by = artefacts,
): Promise<EvidenceAnswer> {
  for (;;) {
    try {
      const answer = await by.handlers.addEvidence({ ...dates, ...request }, call())
      if (answer.waitUntil === undefined) return answer
      await delay(Date.parse(answer.waitUntil) - Date.now())
    } catch (error) {
      if (!String((error as Error).cause).includes('the authority is late')) throw error
    }
  }
}

async function readReport(invoiceId: string, artefact: number, now = new Date()): Promise<Report> {
  const { content } = await artefacts.handlers.readEvidence({ invoiceId, artefact }, call())
  return verifyInvoice(content, { signers, timeStamps: [root] }, now)
}

const listFiles = async (invoiceId: string) => {
  const files = await fs.readdir(path.join(dataDir, 'artefacts'), { recursive: true })
  const names = files.filter((file) => file.includes(invoiceId) && file.endsWith('.xml'))
  return [...new Set(names.map((file) => path.basename(file)))].sort()
}

test('waits for revocation data newer than the stamp, and then is of level LTA', async () => {
  const { invoiceId, token, evidenceDue } = await stamped()
  const stampedAt = new Date(
    (await artefacts.handlers.timeStampSignature({ invoiceId }, call())).time!,
  )
  expect(Date.parse(evidenceDue!)).toBeGreaterThan(stampedAt.getTime() - 2_000)
  const answer = await complete({ invoiceId, token })
  expect(answer).toEqual({
    level: 'XAdES-B-LTA',
    artefact: 1,
    renewBy: undefined,
    waitUntil: undefined,
    timeStampedAt: expect.stringMatching(/^20.*Z$/),
  })
  const report = await readReport(invoiceId, 1)
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([])
  expect(report).toMatchObject({
    valid: true,
    level: 'XAdES-B-LTA',
    provenAt: answer.timeStampedAt,
  })
  // As long as the certificate of the sandbox's authority, which began some moments before.
  const days = (Date.parse(report.standsUntil!) - Date.parse(answer.timeStampedAt!)) / 86_400_000
  expect(days).toBeGreaterThan(5_478)
  expect(days).toBeLessThanOrEqual(5_479)
  // After the certificate of the signature ended.
  expect(await readReport(invoiceId, 1, new Date('2037-01-01'))).toMatchObject({ valid: true })
  const original = await artefacts.handlers.readKeptXml({ invoiceId }, call())
  expect(original.content).toEqual(signedXml)
})

test('is written once: what a crash left is found, without another stamp', async () => {
  const { invoiceId, token } = await stamped()
  const first = await complete({ invoiceId, token })
  const before = await artefacts.handlers.readEvidence({ invoiceId, artefact: 1 }, call())
  await sandbox.behave({ tsaErrorRate: 1 })
  try {
    // Neither the token nor the artefact was committed; or both were.
    expect(await complete({ invoiceId, token })).toEqual(first)
    expect(await complete({ invoiceId })).toEqual(first)
    expect(await complete({ invoiceId, artefact: 1 })).toEqual(first)
  } finally {
    await sandbox.behave({ tsaErrorRate: 0 })
  }
  expect(await artefacts.handlers.readEvidence({ invoiceId, artefact: 1 }, call())).toEqual(before)
})

test('two processes at once end with the same artefact', async () => {
  const other = await open()
  try {
    const { invoiceId, token } = await stamped()
    await delay(2_000)
    const [one, two] = await Promise.all([
      complete({ invoiceId, token }),
      complete({ invoiceId, token }, other),
    ])
    expect(one).toEqual(two)
    expect(await listFiles(invoiceId)).toEqual(['signed-lta-1.xml', 'signed.xml'])
  } finally {
    await other.close()
  }
})

test('level LT is stored without an archive time stamp, which the setting adds later', async () => {
  const lower = await open({ EVIDENCE_LEVEL: 'LT' })
  try {
    const { invoiceId, token } = await stamped()
    const answer = await complete({ invoiceId, token }, lower)
    expect(answer).toMatchObject({ level: 'XAdES-B-LT', artefact: 0 })
    expect(await readReport(invoiceId, 0)).toMatchObject({ valid: true, level: 'XAdES-B-LT' })
    expect(await complete({ invoiceId, artefact: 0 }, lower)).toEqual(answer)
    expect(await complete({ invoiceId, artefact: 0 })).toMatchObject({
      level: 'XAdES-B-LTA',
      artefact: 1,
      timeStampedAt: answer.timeStampedAt,
    })
    expect(await readReport(invoiceId, 1)).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
  } finally {
    await lower.close()
  }
})

test('level LT is found by a restored store that knows no time stamp', async () => {
  const lower = await open({ EVIDENCE_LEVEL: 'LT' })
  try {
    const { invoiceId, token } = await stamped()
    const { timeStampedAt } = await complete({ invoiceId, token }, lower)
    const completed = { level: 'XAdES-B-LTA', artefact: 1, timeStampedAt }
    expect(await complete({ invoiceId })).toMatchObject(completed)
  } finally {
    await lower.close()
  }
})

test.each(['B', 'T'])('is not wanted with EVIDENCE_LEVEL %s', async (EVIDENCE_LEVEL) => {
  const { invoiceId, token } = await stamped()
  const lower = await open({ EVIDENCE_LEVEL })
  try {
    expect(await lower.handlers.addEvidence({ ...dates, invoiceId, token }, call())).toEqual({})
    const answer = await lower.handlers.timeStampSignature({ invoiceId }, call())
    expect(answer.evidenceDue).toBeUndefined()
  } finally {
    await lower.close()
  }
})

test('without a time stamp is nothing; with one of another signature nothing is kept', async () => {
  const { invoiceId, token } = await stamped()
  expect(await complete({ invoiceId })).toEqual({})
  const spoilt = Buffer.from(token)
  spoilt[spoilt.length - 1] = spoilt.at(-1)! ^ 1
  await expect(complete({ invoiceId, token: spoilt })).rejects.toThrow(/was not stored: timeStamp/)
  expect(await listFiles(invoiceId)).toEqual(['signed.xml'])
  await expect(
    artefacts.handlers.readEvidence({ invoiceId, artefact: 1 }, call()),
  ).rejects.toMatchObject({ code: 'ARTEFACT_NOT_AVAILABLE' })
})

test.each([
  ['wrong imprint', { tsaWrongImprintRate: 1 }],
  ['a day early', { tsaOldTimeRate: 1 }],
  ['another certificate', { tsaUntrustedRate: 1 }],
  ['503', { tsaErrorRate: 1 }],
])('keeps nothing of a hostile authority: %s', async (_, behaviour) => {
  const { invoiceId, token } = await stamped()
  await delay(2_000)
  await sandbox.behave(behaviour)
  try {
    await expect(complete({ invoiceId, token })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    expect(await listFiles(invoiceId)).toEqual(['signed.xml'])
  } finally {
    await sandbox.behave(Object.fromEntries(Object.keys(behaviour).map((name) => [name, 0])))
  }
  expect(await complete({ invoiceId, token })).toMatchObject({ artefact: 1 })
})

describe('renewal', () => {
  let older: Sandbox
  let newer: Sandbox
  let service: Artefacts
  const openWith = async (tsa: Sandbox, settings: Record<string, string> = {}) =>
    open({ TSA_URL: tsa.tsaUrl, ...settings })
  const stop = async (tsa: Sandbox, keep?: 'keep') => tsa.stop(keep)

  beforeAll(async () => {
    older = await startSandbox({ crlSeconds: 1, certificateDays: 300 })
    service = await openWith(older)
  })
  afterAll(async () => {
    await service.close()
    await stop(newer)
  })

  test('waits for another certificate, and then covers what there was before', async () => {
    count += 1
    const invoiceId = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
    await service.handlers.keepSignedXml(makeKeepRequest(invoiceId), call())
    const { token } = await service.handlers.timeStampSignature({ invoiceId }, call())
    const first = await complete({ invoiceId, token }, service)
    // The certificate ends in less than a year.
    expect(Date.parse(first.renewBy!)).toBeLessThan(Date.now())
    const kept = await service.handlers.readEvidence({ invoiceId, artefact: 1 }, call())
    const again = await service.handlers.addEvidence({ ...dates, invoiceId, artefact: 1 }, call())
    expect(Date.parse(again.waitUntil!)).toBeGreaterThan(Date.now() + 80_000_000)

    await service.close()
    await stop(older, 'keep')
    newer = await startSandbox({ crlSeconds: 1, before: older })
    service = await openWith(newer)
    const other = await openWith(newer)
    const [one, two] = await Promise.all([
      complete({ invoiceId, artefact: 1 }, service),
      complete({ invoiceId, artefact: 1 }, other),
    ])
    await other.close()
    expect(one).toEqual({
      level: 'XAdES-B-LTA',
      artefact: 2,
      renewBy: undefined,
      waitUntil: undefined,
      timeStampedAt: first.timeStampedAt,
    })
    expect(two).toEqual(one)
    expect(await complete({ invoiceId, artefact: 2 }, service)).toEqual(one)
    // An older store knows of the first alone.
    expect(await complete({ invoiceId, token }, service)).toEqual(one)
    expect(await listFiles(invoiceId)).toEqual([
      'signed-lta-1.xml',
      'signed-lta-2.xml',
      'signed.xml',
    ])
    expect(await service.handlers.readEvidence({ invoiceId, artefact: 1 }, call())).toEqual(kept)
    const timeStamps = [new X509Certificate(await (await fetch(`${newer.tsaUrl}/root`)).text())]
    const verify = async (artefact: number, now: Date) => {
      const { content } = await service.handlers.readEvidence({ invoiceId, artefact }, call())
      return verifyInvoice(content, { signers, timeStamps }, now)
    }
    const later = new Date(Date.now() + 3 * 365 * 86_400_000)
    expect(await verify(1, later)).toMatchObject({ valid: false })
    expect(await verify(2, later)).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
    expect((await verify(2, later)).timeStamps.map(({ kind, ok }) => [kind, ok])).toEqual([
      ['SIGNATURE', true],
      ['ARCHIVE', true],
      ['ARCHIVE', true],
    ])
  })
})

describe('a revoked certificate of the authority', () => {
  let tsa: Sandbox
  let service: Artefacts
  beforeEach(async () => {
    tsa = await startSandbox({ crlSeconds: 1 })
    service = await open({ TSA_URL: tsa.tsaUrl })
  })
  afterEach(async () => {
    await service.close()
    await tsa.stop()
  })
  const readBy = async (invoiceId: string, artefact: number, now = new Date('2037-01-01')) => {
    const timeStamps = [new X509Certificate(await (await fetch(`${tsa.tsaUrl}/root`)).text())]
    const { content } = await service.handlers.readEvidence({ invoiceId, artefact }, call())
    return verifyInvoice(content, { signers, timeStamps }, now)
  }
  /** Until the authority's latest list is of after what was done to it. */
  const nextList = () => delay(2_000)

  test('its documents get another stamp once another certificate stamps', async () => {
    const { invoiceId, token } = await stamped(service)
    await tsa.post('revoke')
    await nextList()
    const wait = complete({ invoiceId, token }, service)
    await expect(wait).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await listFiles(invoiceId)).toEqual(['signed.xml'])

    await tsa.post('replace')
    // Whose present certificate the service learns from its next stamp.
    await stamped(service)
    const other = await open({ TSA_URL: tsa.tsaUrl })
    const [one, two] = await Promise.all([
      complete({ invoiceId, token }, service),
      complete({ invoiceId, token }, other),
    ])
    await other.close()
    expect(one).toMatchObject({ level: 'XAdES-B-LTA', artefact: 1 })
    expect(two).toEqual(one)
    const files = ['signed-lta-1.xml', 'signed-t-2.xml', 'signed.xml']
    expect(await listFiles(invoiceId)).toEqual(files)
    expect(await readBy(invoiceId, 1)).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
  })

  test('a failed renewal starts again from the original', async () => {
    await service.close()
    await tsa.stop()
    tsa = await startSandbox({ crlSeconds: 1, certificateDays: 300 })
    service = await open({ TSA_URL: tsa.tsaUrl })
    const { invoiceId, token } = await stamped(service)
    expect(await complete({ invoiceId, token }, service)).toMatchObject({ artefact: 1 })
    await tsa.post('revoke')
    await tsa.post('replace')
    await nextList()
    await stamped(service)
    const renewed = await complete({ invoiceId, artefact: 1 }, service)
    expect(renewed).toMatchObject({ level: 'XAdES-B-LTA', artefact: 2 })
    const files = ['signed-lta-1.xml', 'signed-lta-2.xml', 'signed-t-2.xml', 'signed.xml']
    expect(await listFiles(invoiceId)).toEqual(files)
    const report = await readBy(invoiceId, 2, new Date())
    expect(report).toMatchObject({ valid: true, provenAt: renewed.timeStampedAt })
    expect(report.timeStamps).toHaveLength(2)

    // Its second archive time stamp, in the third file.
    await tsa.post('replace')
    await nextList()
    await stamped(service)
    const again = await complete({ invoiceId, artefact: 2 }, service)
    expect(again).toMatchObject({ artefact: 3, timeStampedAt: renewed.timeStampedAt })
    const renewedAgain = await readBy(invoiceId, 3, new Date())
    expect(renewedAgain).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
    expect(renewedAgain.timeStamps).toHaveLength(3)
  })
})

test('its authority is trusted once TSA_URL is unset, by the file that is still named', async () => {
  const file = path.join(dataDir, 'root.pem')
  await fs.writeFile(file, root.toString())
  const later = await open({ TSA_URL: '', TSA_TRUSTED_CERTIFICATES_FILE: file })
  try {
    const { timeStamps } = await later.handlers.readTrust({}, call())
    expect(timeStamps?.certificates).toEqual([root.raw])
  } finally {
    await later.close()
  }
})

test('openssl reads the tokens that were kept', async () => {
  const { token } = await stamped()
  const file = path.join(dataDir, 'token.der')
  await fs.writeFile(file, token)
  const args = ['ts', '-reply', '-in', file, '-token_in', '-text']
  const { stdout: text } = await promisify(execFile)('openssl', args)
  expect(text).toContain('Policy OID: 1.3.6.1.4.1.32473.1')
})
