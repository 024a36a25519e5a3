/**
 * Documents in which every digest may hold and which yet say something that no one signed: comments
 * in a text, a signature moved or wrapped, parts that no digest covers. By the command line's
 * verifier and by the platform's, which share no code.
 */

import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyInvoice } from '@einvoicing/verification/verify/report'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { readInvoice } from '@einvoicing/simulator/examination/read-invoice'
import { verifySignature } from '@einvoicing/simulator/examination/verify-signature'
import { signGolden } from '../conformance/signed-family'

let sample: string
let number: string
let trusted: ReturnType<typeof readPemCertificates>
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wrapping-'))
  const signed = await signGolden(folder, ['simple'])
  const { xml, invoice } = signed.documents[0]!
  sample = xml.toString()
  number = invoice.invoiceNumber
  trusted = readPemCertificates(readFileSync(signed.trusted, 'utf8'))
}, 120_000)

const decision = (xml: string) =>
  verifyInvoice(Buffer.from(xml), { signers: trusted, timeStamps: trusted })
/** The number that the platform would judge. */
const judged = (xml: string) =>
  readInvoice(verifySignature(Buffer.from(xml), { certificates: trusted, at: new Date() })).number

const signature = (xml = sample) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)![0]
const without = (xml = sample) => xml.replace(signature(xml), '')
const root = () => sample.replace(/^<\?xml[^>]*>\s*/, '')
const forged = () => root().replace('<cbc:ID>', '<cbc:ID>9')

test('the sample itself is valid for both', () => {
  expect(decision(sample)).toMatchObject({ valid: true, invoice: { invoiceNumber: number } })
  expect(judged(sample)).toBe(number)
})

const commentIn = (name: string, comment: string) => (xml: string) =>
  xml.replace(new RegExp(`(<cbc:${name}(?: [^>]*)?>[^<])`), `$1${comment}`)

const attacks: [string, (xml: string) => string][] = [
  ['a comment in the number', commentIn('ID', '<!-- -->')],
  ['a comment in an amount', commentIn('PayableAmount', '<!---->')],
  ['a comment in the issue date', commentIn('IssueDate', '<!--x-->')],
  ['a processing instruction in an amount', commentIn('PayableAmount', '<?x y?>')],
  ['CDATA in an amount', commentIn('PayableAmount', '<![CDATA[]]>')],
  ['a comment in the digest', (xml) => xml.replace(/(<ds:DigestValue>.)/, '$1<!---->')],
  ['a comment in the signature value', (xml) => xml.replace(/(<ds:SignatureValue>.)/, '$1<!---->')],
  ['a comment before the root', (xml) => xml.replace('<Invoice ', '<!-- a --><Invoice ')],
  ['a comment behind the root', (xml) => `${xml}<!-- a -->`],
  ['a DOCTYPE', (xml) => xml.replace('<Invoice ', '<!DOCTYPE Invoice><Invoice ')],
  [
    'a DOCTYPE with an entity in the number',
    (xml) =>
      xml
        .replace('<Invoice ', '<!DOCTYPE Invoice [<!ENTITY a "">]><Invoice ')
        .replace('<cbc:ID>', '<cbc:ID>&a;'),
  ],
  [
    'an XInclude in the signature',
    (xml) =>
      xml.replace(
        '<ds:Object>',
        '<ds:Object><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
      ),
  ],
  ['no signature', () => without()],
  ['a second signature behind', (xml) => xml.replace('</Invoice>', `${signature()}</Invoice>`)],
  ['the signature twice in its place', (xml) => xml.replace(signature(), signature().repeat(2))],
  [
    'the signature as the first child',
    () => without().replace(/(<Invoice [^>]*>)/, `$1${signature()}`),
  ],
  ['the signature at the end', () => without().replace('</Invoice>', `${signature()}</Invoice>`)],
  [
    'the signature in another extension',
    () =>
      without().replace(
        '</ext:UBLExtensions>',
        `<ext:UBLExtension><ext:ExtensionContent>${signature()}</ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`,
      ),
  ],
  [
    'the original in an Object',
    () => forged().replace('</ds:Object>', `${without(root())}</ds:Object>`),
  ],
  [
    'the original in a second Object',
    () => forged().replace('</ds:Object>', `</ds:Object><ds:Object>${without(root())}</ds:Object>`),
  ],
  [
    'the original in an extension of a forged one',
    () => without(forged()).replace('<ext:UBLExtensions>', `<ext:UBLExtensions>${root()}`),
  ],
  ['the original in another root', () => `<Wrapped>${root()}</Wrapped>`],
  [
    'a forged document beside the original in a root',
    () => `<Wrapped>${without(forged())}${root()}</Wrapped>`,
  ],
  [
    'another invoice in an Object of a valid signature',
    (xml) => xml.replace('</ds:Object>', `</ds:Object><ds:Object>${without(forged())}</ds:Object>`),
  ],
  [
    'an amount in the unsigned properties',
    (xml) =>
      xml.replace(
        '</xades:QualifyingProperties>',
        `<xades:UnsignedProperties>${without(forged())}</xades:UnsignedProperties>$&`,
      ),
  ],
  [
    'a key beside the certificates',
    (xml) => xml.replace('<ds:X509Data>', '<ds:KeyName>other</ds:KeyName><ds:X509Data>'),
  ],
  [
    'a second SignedInfo',
    (xml) =>
      xml.replace('<ds:SignatureValue>', `${/<ds:SignedInfo.*<\/ds:SignedInfo>/s.exec(xml)![0]}$&`),
  ],
  [
    'a third reference',
    (xml) =>
      xml.replace('</ds:SignedInfo>', `${/<ds:Reference .*?<\/ds:Reference>/s.exec(xml)![0]}$&`),
  ],
  ['the reference to another element', (xml) => xml.replace('URI=""', 'URI="#signed-properties"')],
  [
    'an XPath transform',
    (xml) =>
      xml.replace(
        '<ds:Transforms>',
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>1</ds:XPath></ds:Transform>',
      ),
  ],
  [
    'two properties of one id',
    (xml) =>
      xml.replace(
        '</ds:Object>',
        `</ds:Object><ds:Object>${/<xades:QualifyingProperties.*<\/xades:QualifyingProperties>/s.exec(xml)![0]}</ds:Object>`,
      ),
  ],
  ['a second number', (xml) => xml.replace('<cbc:IssueDate>', '<cbc:ID>9</cbc:ID>$&')],
]

test.each(attacks)('%s', (_, change) => {
  const xml = change(sample)
  expect(xml).not.toBe(sample)
  const report = decision(xml)
  expect([report.valid, report.intact]).toEqual([false, false])
  expect(report.checks.some(({ ok }) => !ok)).toBe(true)
  // The platform reads what the digest covers: another number it must never see.
  const seen = () => {
    try {
      return judged(xml)
    } catch {
      return 'refused'
    }
  }
  expect(['refused', number]).toContain(seen())
})

test('a trusted certificate for another purpose is rejected', () => {
  const [certificate = ''] = /(?<=<ds:X509Certificate>)[^<]+/.exec(sample) ?? []
  const der = Buffer.from(certificate, 'base64')
  const usage = der.indexOf(Buffer.from('0603551d0f', 'hex'))
  expect(usage).toBeGreaterThan(0)
  expect(decision(sample).checks).toContainEqual({ name: 'certificate', ok: true })
  // keyEncipherment alone; with it the certificate's own signature breaks as well.
  const bits = der.indexOf(Buffer.from([0x03, 0x02]), usage)
  der[bits + 3] = 0x20
  const report = decision(sample.replace(certificate, der.toString('base64')))
  const problem = 'the certificate is not for signing documents'
  const check = { name: 'certificate', ok: false, fault: problem }
  expect(report.checks).toContainEqual(check)
})
