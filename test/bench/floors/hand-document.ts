/**
 * An invoice's UBL and XAdES by string concatenation: the least that a document of this form costs.
 * Written in its canonical form, so nothing is parsed; nothing is validated, verified or stored.
 */

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Invoice {
  invoiceNumber: string
  invoiceDate: string
  lines: { lineNumber: number; description: string; quantity: number; unitPrice: number }[]
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const certificate = randomBytes(700).toString('base64')
const namespaces =
  'xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
const toDigest = (text: string) => createHash('sha256').update(text).digest('base64')
const amount = (minor: number) => (minor / 100).toFixed(2)

export function writeSignedDocument({ invoiceNumber, invoiceDate, lines }: Invoice): string {
  let net = 0
  let lineTexts = ''
  for (const { lineNumber, description, quantity, unitPrice } of lines) {
    const minor = Math.round(quantity * unitPrice * 100)
    net += minor
    lineTexts += `<cac:InvoiceLine><cbc:ID>${lineNumber}</cbc:ID><cbc:InvoicedQuantity unitCode="C62">${quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="MAD">${amount(minor)}</cbc:LineExtensionAmount><cac:TaxTotal><cbc:TaxAmount currencyID="MAD">${amount(minor * 0.2)}</cbc:TaxAmount></cac:TaxTotal><cac:Item><cbc:Description>${escape(description)}</cbc:Description><cbc:Name>${escape(description)}</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="MAD">${unitPrice}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`
  }
  const tax = net * 0.2
  const body = `<cbc:ID>${escape(invoiceNumber)}</cbc:ID><cbc:IssueDate>${invoiceDate}</cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>MAD</cbc:DocumentCurrencyCode><cac:TaxTotal><cbc:TaxAmount currencyID="MAD">${amount(tax)}</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="MAD">${amount(net)}</cbc:TaxExclusiveAmount><cbc:PayableAmount currencyID="MAD">${amount(net + tax)}</cbc:PayableAmount></cac:LegalMonetaryTotal>${lineTexts}`
  const properties = `<xades:SignedProperties xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" Id="p"><xades:SignedSignatureProperties><xades:SigningTime>${new Date().toISOString()}</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestValue>${toDigest(certificate)}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties></xades:SignedProperties>`
  const documentDigest = toDigest(`<Invoice ${namespaces}>${body}</Invoice>`)
  const signedInfo = `<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Reference URI=""><ds:DigestValue>${documentDigest}</ds:DigestValue></ds:Reference><ds:Reference URI="#p"><ds:DigestValue>${toDigest(properties)}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = sign('sha256', Buffer.from(signedInfo), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `<Invoice ${namespaces}>${body}<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${signedInfo}<ds:SignatureValue>${value.toString('base64')}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object><xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#">${properties}</xades:QualifyingProperties></ds:Object></ds:Signature></Invoice>`
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
}
