import { readElement, readElements, writeElement } from '../der'
import { appendEvidence, signatureTimeStampInput } from '../evidence'
import { readSignedParts } from '../signature-form'
import {
  addAll,
  archive,
  makeKeys,
  now,
  rsa,
  signBy,
  signedXml,
  signers,
  TestAuthority,
  toLongTerm,
} from '../testdata/long-term'
import { addCheck, verifyBeforeStamp, verifyInvoice, type Report, type Trust } from './report'
import { createCheck } from './signature'

let authority: TestAuthority
let longTerm: Buffer
beforeAll(async () => {
  authority = await TestAuthority.make()
  const { root } = authority
  const ocspResponses = [authority.respond(root.raw)]
  longTerm = addAll({ token: authority.stamp(), certificates: [root.raw], ocspResponses })
})

const trustAll = (): Trust => ({ signers, timeStamps: [authority.root] })
const verify = (document: Buffer | string, trust = trustAll()) =>
  verifyInvoice(Buffer.from(document as string), trust, now)
const problems = ({ checks }: Report) =>
  checks.flatMap(({ name, fault: problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )

test('once a check fails, nothing says until when the document can be verified', () => {
  const report = verify(signedXml)
  expect(report).toMatchObject({ valid: true, standsUntil: expect.stringMatching(/^20/) as string })
  const held = addCheck(report, createCheck('held', undefined))
  expect(held).toMatchObject({ valid: true, standsUntil: report.standsUntil })
  const lost = addCheck(report, createCheck('held', 'it is not stored'))
  expect(lost).toMatchObject({ valid: false, standsUntil: null })
})

test.each([
  ['in the document', '<cbc:PayableAmount ', 'xmlnsNote'],
  ['with a hyphen', '<cbc:PayableAmount ', 'xmlns-currencyID'],
  ['in the signed properties', '<xades:SigningTime', 'xmlnsNote'],
  ['in the signed information', '<ds:SignedInfo', 'xmlns.note'],
])('an attribute that xml-crypto takes for a namespace is rejected %s', (_, place, name) => {
  const changed = signedXml.toString().replace(place, `${place.trim()} ${name}="EUR" `)
  expect(changed).toContain(name)
  const problem = `form: it has the attribute ${name}, which no digest covers`
  expect(problems(verify(changed))).toEqual([problem])
})

test('without one of the lists, issuers of revocation data are not checked', () => {
  expect(verify(longTerm)).toMatchObject({ valid: true, level: 'XAdES-B-LT' })
  for (const missing of ['signers', 'timeStamps'] as const) {
    const report = verify(longTerm, { ...trustAll(), [missing]: undefined })
    expect([missing, problems(report)]).toEqual([missing, []])
  }
})

/** The same element with `added` before `target`. */
function insertBefore(bytes: Buffer, target: Buffer, added: Buffer): Buffer {
  if (bytes.equals(target)) return Buffer.concat([added, target])
  if (!bytes.includes(target)) return bytes
  const { tag, content } = readElement(bytes)
  const parts = readElements(content).map((part) => insertBefore(part.bytes, target, added))
  return writeElement(tag, ...parts)
}

test('names the authority whose certificate verifies the time stamp, whatever else it holds', async () => {
  const { stamper, root } = authority
  const other = await authority.issueStamper(await makeKeys(), 'CN=another authority')
  const token = insertBefore(authority.stamp(), stamper.raw, other.raw)
  const ocspResponses = [authority.respond(root.raw)]
  const report = verify(addAll({ token, certificates: [root.raw], ocspResponses }))
  expect([report.valid, problems(report)]).toEqual([true, []])
  expect(report.timeStamps).toMatchObject([{ authority: 'CN=stamper', trusted: true }])
})

const creditedCurrency = '<cbc:PayableAmount currencyID="MAD">'

test.each([
  [
    'another currency',
    creditedCurrency,
    creditedCurrency.replace('MAD', 'EUR'),
    'PayableAmount is in EUR, the document in MAD',
  ],
  [
    'an unknown currency',
    '>MAD</cbc:DocumentCurrencyCode>',
    '>XYZ</cbc:DocumentCurrencyCode>',
    'DocumentCurrencyCode is not a known currency',
  ],
])('amounts in %s are not those of the document', async (_, part, other, problem) => {
  expect(await verifyResigned(part, other)).toEqual([`amounts: ${problem}`])
})

test.each([
  ['right', '15000.00', []],
  ['wrong', '15000.01', ['line 1: allowances[0] BaseAmount is 15000.01, computed 15000.00']],
])('a percentage of a %s base', async (_, base, expected) => {
  const allowance = `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:MultiplierFactorNumeric>0.00001</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="MAD">0.00</cbc:Amount><cbc:BaseAmount currencyID="MAD">${base}</cbc:BaseAmount></cac:AllowanceCharge>`
  const found = await verifyResigned('<cac:Item>', `${allowance}<cac:Item>`)
  expect(found).toEqual(expected.map((problem) => `amounts: ${problem}`))
})

async function verifyResigned(part: string, other: string): Promise<string[]> {
  const keys = await makeKeys()
  const changed = signedXml.toString().replace(part, other)
  expect(changed).not.toBe(signedXml.toString())
  const document = signBy(await authority.issueSigner(keys), keys, Buffer.from(changed))
  return problems(verify(document, { signers: [authority.root], timeStamps: undefined }))
}

test('but each must have been issued by another', async () => {
  const impostor = await TestAuthority.make()
  const ocspResponses = [authority.respond(authority.root.raw)]
  const forged = addAll({
    token: authority.stamp(),
    ocspResponses,
    certificates: [authority.root.raw, impostor.stamper.raw],
  })
  expect(problems(verify(forged, { signers, timeStamps: undefined }))).toEqual([
    'revocation: a certificate in the evidence was not issued by another',
  ])
})

test('evidence after the last time stamp is valid only before the stamp that will cover it', async () => {
  const crls = [await authority.list()]
  const data = { kind: 'timeStampValidationData', number: 1, crls, ocspResponses: [] } as const
  const document = appendEvidence(await archive(authority), [data])
  expect(problems(verify(document))).toEqual([
    'timeStamp: the unsigned properties are in the wrong order',
  ])
  expect(verifyBeforeStamp(document, trustAll(), now)).toMatchObject({
    valid: true,
    level: 'XAdES-B-LTA',
  })
})

describe('a document stands until', () => {
  const endOfRsa = '2029-01-01T00:00:00.000Z'
  const end = '2036-01-01T00:00:00.000Z'

  test.each([
    ['its time stamp by ECDSA, issued by ECDSA', {}, end],
    ['the end of RSA, with which it is stamped', { stampAlgorithm: rsa }, endOfRsa],
    ['the end of RSA, which issued the stamper', { algorithm: rsa }, endOfRsa],
  ])('%s', async (_, algorithms, standsUntil) => {
    const by = await TestAuthority.make(algorithms)
    const trust = { signers, timeStamps: [by.root] }
    for (const document of [await toLongTerm(by), await archive(by)]) {
      expect(verify(document, trust)).toMatchObject({ valid: true, standsUntil })
    }
  })

  test.each([
    ['unless a link below is trusted', true, end],
    ['also above the link that issued the stamper', false, endOfRsa],
  ])('the end of RSA, %s', async (_, isLinkTrusted, standsUntil) => {
    const issuedBy = await TestAuthority.make({ name: 'above', algorithm: rsa })
    const by = await TestAuthority.make({ issuedBy })
    const trust = { signers, timeStamps: [isLinkTrusted ? by.root : issuedBy.root] }
    const document = addAll({ token: by.stamp(), crls: [await by.list()] })
    expect(verify(document, trust)).toMatchObject({ valid: true, standsUntil })
  })

  test('the end of RSA, which issued the signer, unless revocation data is held', async () => {
    const by = await TestAuthority.make({ algorithm: rsa })
    const keys = await makeKeys()
    const original = signBy(await by.issueSigner(keys), keys)
    const trust = { signers: [by.root], timeStamps: [authority.root] }
    expect(verify(original, trust)).toMatchObject({ valid: true, standsUntil: endOfRsa })
    const input = signatureTimeStampInput(readSignedParts(original))
    const token = authority.stamp(authority.stamper, { input })
    const crls = [await authority.list(), await by.list()]
    const certificates = [authority.root.raw]
    const held = addAll({ original, token, certificates, crls })
    expect(verify(held, trust)).toMatchObject({ valid: true, standsUntil: end })
  })
})
