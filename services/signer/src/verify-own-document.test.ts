import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTrusted, readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { createLog } from '@einvoicing/runtime/log'
import { verifyDocument } from '@einvoicing/verification/verify-document'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { SignerConfig } from './config'
import { openSigner, type Signer } from './service'

const testdata = join(__dirname, 'testdata')
const samples = readdirSync(testdata).filter((file) => file.endsWith('.json'))
const invoiceIn = (file: string) =>
  JSON.parse(readFileSync(join(testdata, file), 'utf8')) as Invoice
const simple = invoiceIn('simple.json')
const now = () => new Date('2026-11-21T10:00:00.123Z')
const opened: Signer[] = []

afterAll(async () => {
  for (const signer of opened) await signer.close()
})

async function openFresh(algorithm: 'ecp256' | 'rsa2048' = 'ecp256') {
  const directory = await mkdtemp(join(tmpdir(), 'signer-'))
  const config: SignerConfig = { kind: 'software', directory, algorithm }
  const signer = await openSigner(config, { now, log: createLog('silent') })
  opened.push(signer)
  const trusted = readPemCertificates(readFileSync(signer.trustedCertificateFile!, 'utf8'))
  const sign = async (invoice: Invoice) => {
    const caller = { service: 'invoices', actor: 'test' } as const
    const call = { caller, requestId: '-', deadline: Date.now() + 60_000 }
    return (await signer.handlers.signDocument({ invoice }, call)).xml.toString()
  }
  return { trusted, sign }
}

const ours = openFresh()
const verify = async (xml: string | Buffer) =>
  verifyDocument(Buffer.from(xml as string), (await ours).trusted)

test.each(samples)('what the signer makes of %s is verified and read', async (file) => {
  const invoice = invoiceIn(file)
  const xml = await (await ours).sign(invoice)
  expect(await verify(xml)).toEqual({
    text: readFileSync(join(testdata, file.replace('.json', '.xml')), 'utf8'),
    number: invoice.invoiceNumber,
    date: invoice.invoiceDate,
    issuerIce: invoice.issuer?.ice,
    signedAt: now(),
  })
})

test('so is what an RSA key signs', async () => {
  const { sign, trusted } = await openFresh('rsa2048')
  const xml = Buffer.from(await sign(simple))
  expect(verifyDocument(xml, trusted).number).toBe(simple.invoiceNumber)
})

test('another authority is refused, and accepted beside ours in one list', async () => {
  const other = await openFresh()
  const xml = await other.sign(simple)
  await expect(verify(xml)).rejects.toThrow(/no trusted authority/)
  const both = [...(await ours).trusted, ...other.trusted]
  expect(verifyDocument(Buffer.from(xml), both).number).toBe(simple.invoiceNumber)
  expect(verifyDocument(Buffer.from(xml), undefined).number).toBe(simple.invoiceNumber)
})

test('no character of signature or content can be changed', async () => {
  const xml = await (await ours).sign(simple)
  const seed = Math.floor(Math.random() * 1e9)
  let state = seed
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const start = xml.indexOf('<ds:Signature ')
  const signature = Array.from(extractSignature(xml), (_, index) => start + index)
  const elsewhere = Array.from({ length: 500 }, () => draw(xml.length))
  for (const at of [...signature, ...elsewhere]) {
    const character = String.fromCharCode(32 + draw(95))
    if (character === xml[at]) continue
    const changed = xml.slice(0, at) + character + xml.slice(at + 1)
    const result = await verify(changed).catch((error: unknown) => error as Error)
    if (!(result instanceof Error))
      throw new Error(`seed ${seed}: ${at} "${character}" was accepted`)
    expect(result.name).toBe('DocumentError')
  }
})

const extractSignature = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)![0]
const unsigned = (xml: string) => xml.replace(extractSignature(xml), '')

test.each<[string, RegExp, (xml: string) => string]>([
  ['no signature', /exactly one signature/, unsigned],
  ['two signatures', /exactly one/, (xml) => xml.replace('<ds:Object>', extractSignature(xml))],
  [
    'the signature moved',
    /at the wrong place/,
    (xml) => unsigned(xml).replace('</cbc:ID><cbc:IssueDate>', `${extractSignature(xml)}$&`),
  ],
  [
    'a second object in the signature',
    /the form that this service writes/,
    (xml) => xml.replace('</ds:Object>', '</ds:Object><ds:Object>x</ds:Object>'),
  ],
  [
    'a wrapped original',
    /exactly one|changed/,
    (xml) =>
      xml.replace('<cbc:ID>FA-2026-0001', '<cbc:ID>FA-2026-0002').replace('</Invoice>', `${xml}$&`),
  ],
  ['another amount', /changed after it was signed/, (xml) => xml.replace('30600.00', '30601.00')],
  ['a comment in an amount', /changed/, (xml) => xml.replace('30600.00', '306<!---->00.00')],
  [
    'a comment in the signature',
    /the form that this service writes/,
    (xml) => xml.replace('<ds:KeyInfo>', '<!----><ds:KeyInfo>'),
  ],
  [
    'another signing time',
    /signed properties differ/,
    (xml) => xml.replace('2026-11-21T10:00:00.123Z', '2025-11-21T10:00:00.123Z'),
  ],
  [
    'a weaker digest',
    /the form that this service writes/,
    (xml) => xml.replaceAll('2001/04/xmlenc#sha256', '2000/09/xmldsig#sha1'),
  ],
  [
    'bytes after a certificate',
    /certificate .* cannot be read/,
    (xml) =>
      xml.replace(/(?<=<ds:X509Certificate>)[^<]+/, (certificate) =>
        Buffer.concat([Buffer.from(certificate, 'base64'), Buffer.from('more')]).toString('base64'),
      ),
  ],
  ['a DOCTYPE', /changed|form|exactly/, (xml) => xml.replace('<Invoice', '<!DOCTYPE Invoice>$&')],
  ['no declaration', /exactly one/, (xml) => xml.replace(/^<\?xml[^\n]*\n/, '')],
  ['a byte order mark', /exactly one/, (xml) => `\uFEFF${xml}`],
])('a document with %s is refused', async (_, reason, change) => {
  const xml = await (await ours).sign(simple)
  const changed = change(xml)
  expect(changed).not.toBe(xml)
  await expect(verify(changed)).rejects.toThrow(reason)
})

test('a swapped certificate of the same authority is refused', async () => {
  const [one, other] = [await (await ours).sign(simple), await (await openFresh()).sign(simple)]
  const keyInfo = /<ds:KeyInfo>.*<\/ds:KeyInfo>/
  await expect(verify(one.replace(keyInfo, keyInfo.exec(other)![0]))).rejects.toThrow(
    /a certificate other than/,
  )
})

test('a chain must be valid at the time of signing only', async () => {
  const [authority] = (await ours).trusted
  const isTrustedAt = (at: string) =>
    isTrusted({ certificates: [authority!], trusted: [authority!], at: new Date(at) })
  expect(isTrustedAt('2026-11-21T10:00:00Z')).toBe(true)
  expect(isTrustedAt(new Date(Date.parse(authority!.validTo) + 1_000).toISOString())).toBe(false)
  expect(isTrustedAt(new Date(Date.parse(authority!.validFrom) - 1_000).toISOString())).toBe(false)
})

test('bytes that are no UTF-8 are refused', async () => {
  const xml = Buffer.from(await (await ours).sign(simple))
  xml[xml.indexOf('Audit')] = 0xff
  await expect(verify(xml)).rejects.toThrow(/not UTF-8/)
})
