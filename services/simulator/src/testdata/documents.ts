/**
 * Documents for this package's tests, written and signed here with xml-crypto, by no code of the
 * service's signer.
 */

import { createHash, sign as signBytes, X509Certificate, type KeyLike } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignedXml } from 'xml-crypto'

const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/** Keys made for these tests alone; `ca` is trusted, `stranger-ca` is not. */
export function pem(name: string): string {
  return readFileSync(join(__dirname, 'keys', `${name}.pem`), 'utf8')
}

export interface DocumentFields {
  number: string
  issueDate: string
  dueDate: string
  sellerIce: string
  buyerIce: string
  description: string
  payable?: string
  currency: string
  /** Lines of 2 × 50.00 at 20 %. */
  lineCount: number
}

const typical: DocumentFields = {
  number: 'F-2026-001',
  issueDate: '2026-11-20',
  dueDate: '2026-12-20',
  sellerIce: '001234567000089',
  buyerIce: '009876543000012',
  description: 'Conseil &amp; audit',
  currency: 'MAD',
  lineCount: 1,
}

/**
 * An unsigned UBL 2.1 invoice whose amounts hold, unless `payable` is given.
 *
 * Fields go in as XML, not as text.
 */
export function invoiceXml(overrides: Partial<DocumentFields> = {}): string {
  const fields = { ...typical, ...overrides }
  const taxable = 100 * fields.lineCount
  const tax = 20 * fields.lineCount
  const lines = Array.from({ length: fields.lineCount }, (_, index) =>
    fill('line.xml', { ...fields, id: index + 1 }),
  )
  const totals = { taxable, tax, total: taxable + tax, lines: lines.join('') }
  return fill('invoice.xml', { payable: totals.total, ...fields, ...totals })
}

/** Of numbers that the seller reported, with lines as an invoice has them. */
export function creditNoteXml(
  preceding: readonly string[],
  overrides: Partial<DocumentFields> = {},
): string {
  const references = preceding.map(
    (number) =>
      `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`,
  )
  const type = '<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>'
  return invoiceXml(overrides)
    .replace(/<(\/?)Invoice\b/g, '<$1CreditNote')
    .replace('Invoice-2"', 'CreditNote-2"')
    .replaceAll('InvoiceLine', 'CreditNoteLine')
    .replaceAll('InvoicedQuantity', 'CreditedQuantity')
    .replace(/ *<cbc:DueDate>.*\n/, type)
    .replace('<cac:AccountingSupplierParty>', `${references.join('')}$&`)
}

function fill(template: string, values: object): string {
  const named = new Map<string, unknown>(Object.entries(values))
  const text = readFileSync(join(__dirname, template), 'utf8').trimEnd()
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(named.get(name)))
}

export interface SigningOptions {
  /** Name of the key and certificate under `keys/`. */
  signer?: string
  /** More certificates for KeyInfo. */
  links?: string
  /** The certificate SigningCertificateV2 names, when it is not the signer's. */
  named?: string
  /** Without it, only the document is referenced. */
  withProperties?: boolean
  /** Transforms of the reference to the document. */
  transforms?: string[]
}

/** Signs as XAdES baseline B-B, or as wrongly as the options ask. */
export function signXml(xml: string, options: SigningOptions = {}): Buffer {
  const signer = options.signer ?? 'ec'
  const isRsa = signer.includes('rsa')
  const signed = new SignedXml({
    privateKey: pem(signer),
    publicCert: (pem(signer) + (options.links ?? '')).replace(
      /-----BEGIN PRIVATE KEY[^]+?END PRIVATE KEY-----\n/,
      '',
    ),
    signatureAlgorithm: isRsa ? rsaSha256 : ecdsaSha256,
    canonicalizationAlgorithm: excC14n,
    objects: [{ content: qualifyingProperties(pem(options.named ?? signer)) }],
  })
  signed.SignatureAlgorithms[ecdsaSha256] = EcdsaSigner
  signed.addReference({
    xpath: '/*',
    uri: '',
    isEmptyUri: true,
    digestAlgorithm: sha256,
    transforms: options.transforms ?? [enveloped, excC14n],
  })
  if (options.withProperties ?? true) {
    signed.addReference({
      xpath: "//*[local-name(.)='SignedProperties']",
      digestAlgorithm: sha256,
      transforms: [excC14n],
      type: 'http://uri.etsi.org/01903#SignedProperties',
    })
  }
  signed.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: "//*[local-name(.)='ExtensionContent']", action: 'append' },
  })
  return Buffer.from(signed.getSignedXml())
}

function qualifyingProperties(certificatePem: string): string {
  const { raw } = new X509Certificate(certificatePem)
  const certificateDigest = createHash('sha256').update(raw).digest('base64')
  return fill('qualifying-properties.xml', { certificateDigest })
}

class EcdsaSigner {
  getSignature = ((info: string, key: KeyLike): string =>
    signBytes('sha256', Buffer.from(info), {
      key: key as string,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64')) as never
  verifySignature = (() => false) as never
  getAlgorithmName = (): string => ecdsaSha256
}
