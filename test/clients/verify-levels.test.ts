import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { appendEvidence } from '@einvoicing/verification/evidence'
import { verifyInvoice, type Report } from '@einvoicing/verification/verify/report'
import {
  addArchiveTimeStamp,
  after,
  dayMs,
  makeAuthority,
  now,
  renew,
  toLt,
  toLta,
  toT,
  yearMs,
  type TestAuthority,
} from '../conformance/levels'
import { signGolden } from '../conformance/signed-family'

let folder: string
let xml: Buffer
let first: TestAuthority
let second: TestAuthority
let trust: { signers: X509Certificate[]; timeStamps: X509Certificate[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-levels-'))
  const signed = await signGolden(folder, ['consumer'])
  xml = signed.documents[0]!.xml
  first = await makeAuthority('first', after(3 * yearMs))
  second = await makeAuthority('second', after(18 * yearMs))
  trust = {
    signers: readPemCertificates(await readFile(signed.trusted, 'utf8')),
    timeStamps: [first, second].map(({ root }) => new X509Certificate(root)),
  }
})

afterAll(() => rm(folder, { recursive: true }))

const tomorrow = after(dayMs)
const inSixYears = after(6 * yearMs)
const verify = (document: Buffer, at = tomorrow) => verifyInvoice(document, trust, at)
const problems = ({ checks }: Report) =>
  checks.flatMap(({ name, fault: problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )

test('level B can be verified until its certificate expires', () => {
  const report = verify(xml)
  const { validTo } = report.signer!
  expect([report.valid, problems(report)]).toEqual([true, []])
  expect(report).toMatchObject({ level: 'XAdES-B-B', provenAt: null, standsUntil: validTo })
  expect(report.notChecked).toEqual(['timeStamp', 'revocation', 'held'])
  const late = verify(xml, inSixYears)
  expect([late.valid, late.standsUntil]).toEqual([false, null])
  expect(problems(late)[0]).toMatch(/^certificate: .* no trusted time stamp proves that/)
})

test('T proves the time; LT and LTA can be verified after the signing certificate expired', async () => {
  const [t, lt, lta] = [await toT(xml, first), await toLt(xml, first), await toLta(xml, first)]
  const end = new Date(first.stamps.certificates[0].validTo).toISOString()
  for (const [document, level, standsUntil, kinds] of [
    [t, 'XAdES-B-T', verify(xml).signer!.validTo, ['SIGNATURE']],
    [lt, 'XAdES-B-LT', end, ['SIGNATURE']],
    [lta, 'XAdES-B-LTA', end, ['SIGNATURE', 'ARCHIVE']],
  ] as const) {
    const report = verify(document)
    expect([level, report.valid, problems(report)]).toEqual([level, true, []])
    expect(report).toMatchObject({ level, standsUntil, provenAt: now.toISOString() })
    expect(report.timeStamps.map(({ kind, ok, trusted }) => [kind, ok, trusted])).toEqual(
      kinds.map((kind) => [kind, true, true]),
    )
    expect(report.timeStamps[0]!.authority).toContain('CN=first TSA')
    expect(problems(verify(document, inSixYears)).join()).toContain('no later time stamp proves')
  }
})

test('renewed in time, it can be verified after both certificates expired', async () => {
  const renewed = await renew(xml, first, second)
  for (const at of [after(3 * yearMs - dayMs), inSixYears, after(15 * yearMs)]) {
    const report = verify(renewed, at)
    expect([at, report.valid, problems(report)]).toEqual([at, true, []])
    expect(report.standsUntil).toBe(new Date(second.stamps.certificates[0].validTo).toISOString())
  }
})

test('time stamps of an untrusted authority are listed, and prove nothing', async () => {
  const strangers = { ...trust, timeStamps: [new X509Certificate(second.root)] }
  const report = verifyInvoice(await toLta(xml, first), strangers, tomorrow)
  expect(report).toMatchObject({ valid: false, provenAt: null })
  expect(report.timeStamps.map(({ ok, trusted }) => [ok, trusted])).toEqual([
    [false, false],
    [false, false],
  ])
  expect(problems(report)[0]).toBe(
    'timeStamp: no trusted authority issued the certificate of the time stamp',
  )
})

test('revocation data that is older, missing, forged or says revoked', async () => {
  const withCrl = async (crl: Promise<Buffer>) =>
    appendEvidence(await toT(xml, first), [
      { kind: 'revocationData', crls: [await crl], ocspResponses: [] },
    ])
  const problem = async (crl: Promise<Buffer>) =>
    problems(verify(await withCrl(crl))).map((text) => text.replace(/\d{4}-\S+Z/, 'DATE'))
  const impostor = await makeAuthority('first', after(3 * yearMs))
  const serial = first.stamps.certificates[0].serialNumber
  expect(await problem(first.crlAt(after(-1_000)))).toEqual([
    'revocation: there is no revocation data newer than DATE about the certificate of the time stamp',
  ])
  expect(await problem(second.crlAt(after(1_000)))).toEqual([
    'revocation: there is no revocation data about the certificate of the time stamp',
  ])
  expect(await problem(impostor.crlAt(after(1_000)))).toEqual([
    'revocation: the signature of a revocation list does not match its issuer',
  ])
  expect(await problem(first.crlAt(after(1_000), [serial]))).toEqual([
    'revocation: revoked on DATE: the certificate of the time stamp',
  ])
  // Its root among the evidence makes no one an authority.
  const crls = [await impostor.crlAt(after(1_000))]
  const forged = appendEvidence(await toT(xml, first), [
    { kind: 'certificates', certificates: [impostor.rootCertificate] },
    { kind: 'revocationData', crls, ocspResponses: [] },
  ])
  expect(problems(verify(forged))).toEqual([
    'revocation: the signature of a revocation list does not match its issuer',
  ])
})

const child = (name: string) =>
  new RegExp(`<xades(?:141)?:${name}[ >].*?</xades(?:141)?:${name}>`, 's')

test.each([
  ['CertificateValues', 'RevocationValues'],
  ['SignatureTimeStamp', 'CertificateValues'],
  ['RevocationValues', 'ArchiveTimeStamp'],
])('the order of %s and %s is noticed at every level', async (one, other) => {
  const documents = [await toLta(xml, first)]
  if (other !== 'ArchiveTimeStamp') documents.push(await toLt(xml, first))
  for (const document of documents.map(String)) {
    const [before, behind] = [child(one).exec(document)![0], child(other).exec(document)![0]]
    const swapped = document.replace(before + behind, () => behind + before)
    expect(swapped).not.toBe(document)
    expect(verify(Buffer.from(swapped)).valid).toBe(false)
  }
})

test('detects evidence that is repeated or added after the last time stamp', async () => {
  const document = (await toLta(xml, first)).toString()
  for (const name of ['SignatureTimeStamp', 'RevocationValues', 'ArchiveTimeStamp']) {
    const repeated = document.replace(child(name), (text) => text + text)
    expect([name, verify(Buffer.from(repeated)).valid]).toEqual([name, false])
  }
  const [values] = child('RevocationValues').exec(document)!
  const added = document.replace('</xades:UnsignedSignatureProperties>', (end) => values + end)
  expect(problems(verify(Buffer.from(added))).join()).toContain('are in the wrong order')
  const again = addArchiveTimeStamp(Buffer.from(document), {
    by: first,
    time: after(3 * 3_600_000),
    number: 3,
  })
  expect(problems(verify(again)).join()).toContain('not numbered from 1')
})

describe('any byte', () => {
  const changes = async (make: typeof toLt, name: string, step: number) => {
    const document = (await make(xml, first)).toString()
    const pattern = new RegExp(`(?<=<xades:Encapsulated${name}[^>]*>)[^<]+`)
    const [value = ''] = document.match(pattern)!
    const bytes = Buffer.from(value, 'base64')
    const places = Array.from(bytes, (_, at) => at).filter((at) => at % step === 0)
    return places.map((at) => {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      return Buffer.from(document.replace(value, () => changed.toString('base64')))
    })
  }

  test.each<[string, string, (xml: Buffer, by: TestAuthority) => Buffer | Promise<Buffer>]>([
    ['the token', 'TimeStamp', toT],
    ['the revocation list', 'CRLValue', toLt],
    ['the issuer', 'X509Certificate', toLt],
    ['the revocation list under an archive time stamp', 'CRLValue', toLta],
  ])(
    'of %s changed is noticed',
    async (_, name, make) => {
      const step = name === 'TimeStamp' ? 1 : 5
      const all = await changes(async (document, by) => make(document, by), name, step)
      expect(all.length).toBeGreaterThan(30)
      const unnoticed = all.flatMap((document, at) => (verify(document).valid ? [at] : []))
      expect(unnoticed).toEqual([])
    },
    120_000,
  )
})
