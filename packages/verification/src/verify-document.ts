// Nothing is parsed or canonicalized: the text must have exactly the form that our signer writes,
// `services/signer/src/xades/signature.ts` (XAdES B-B, ETSI EN 319 132-1), and the text returned is
// the text that was digested. A general XMLDSig verifier would accept more.

import { createHash, verify, X509Certificate } from 'node:crypto'
import { isTrusted } from './certificate-chain'

export interface VerifiedDocument {
  text: string
  /** The `cbc:ID`, unescaped. */
  number: string
  /** The `cbc:IssueDate`, YYYY-MM-DD. */
  date: string
  issuerIce: string
  signedAt: Date
}

export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

/** Throws `DocumentError`. Without `trusted`, any issuer is accepted. */
export function verifyDocument(
  xml: Uint8Array,
  trusted: readonly X509Certificate[] | undefined,
): VerifiedDocument {
  const { before, signature, after } = splitSignature(decode(xml))
  const text = resolveReferences(before + after)
  const certificates = parseCertificates(signature.keyInfo)
  const signedAt = new Date(signature.signingTime)
  checkDigest(text, signature.documentDigest, 'the document was changed after it was signed')
  checkDigest(signature.properties, signature.propertiesDigest, 'the signed properties differ')
  if (digest(certificates[0].raw) !== signature.certificateDigest) {
    throw new DocumentError('the signature names another certificate than it holds')
  }
  if (!isSignedBy(certificates[0], signature)) {
    throw new DocumentError('the signature value is not that of its certificate')
  }
  if (trusted && !isTrusted({ certificates, trusted, at: signedAt })) {
    throw new DocumentError('no trusted authority issued the certificate of the signature')
  }
  return { text, ...readIdentity(text), signedAt }
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const etsi = 'http://uri.etsi.org/01903/v1.3.2#'
const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = `${dsig}enveloped-signature`
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

// Line-end normalization (XML 1.1, JavaScript) would lose them; the signer writes references.
const textByReference = new Map([
  ['&#x85;', '\u0085'],
  ['&#x2028;', '\u2028'],
  ['&#x2029;', '\u2029'],
])

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const opening = `<ds:Signature xmlns:ds="${dsig}" Id="signature">`
const closing = '</ds:Signature>'
const placeBefore = '</sbc:ReferencedSignatureID>'
const placeAfter = '</sac:SignatureInformation>'

const base64 = '[A-Za-z0-9+/]+={0,2}'
const digestMethod = `<ds:DigestMethod Algorithm="${sha256}"></ds:DigestMethod>`
const transform = (algorithm: string, parameter = '') =>
  `<ds:Transform Algorithm="${algorithm}">${parameter}</ds:Transform>`
const inclusive = `<ec:InclusiveNamespaces xmlns:ec="${excC14n}" PrefixList="[\\w# ]*"></ec:InclusiveNamespaces>`

const signaturePattern =
  `^(?<info><ds:SignedInfo xmlns:ds="${dsig}">` +
  `<ds:CanonicalizationMethod Algorithm="${excC14n}"></ds:CanonicalizationMethod>` +
  `<ds:SignatureMethod Algorithm="(?<method>${ecdsaSha256}|${rsaSha256})"></ds:SignatureMethod>` +
  `<ds:Reference Id="signed-document" URI=""><ds:Transforms>` +
  `${transform(enveloped)}${transform(excC14n, inclusive)}</ds:Transforms>${digestMethod}` +
  `<ds:DigestValue>(?<documentDigest>${base64})</ds:DigestValue></ds:Reference>` +
  `<ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#signed-properties">` +
  `<ds:Transforms>${transform(excC14n)}</ds:Transforms>${digestMethod}` +
  `<ds:DigestValue>(?<propertiesDigest>${base64})</ds:DigestValue></ds:Reference></ds:SignedInfo>)` +
  `<ds:SignatureValue>(?<value>${base64})</ds:SignatureValue>` +
  `<ds:KeyInfo><ds:X509Data>(?<keyInfo>(?:<ds:X509Certificate>${base64}</ds:X509Certificate>){1,10})</ds:X509Data></ds:KeyInfo>` +
  `<ds:Object><xades:QualifyingProperties xmlns:xades="${etsi}" Target="#signature">` +
  `(?<properties><xades:SignedProperties xmlns:xades="${etsi}" Id="signed-properties">` +
  `<xades:SignedSignatureProperties><xades:SigningTime>(?<signingTime>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)</xades:SigningTime>` +
  `<xades:SigningCertificateV2><xades:Cert><xades:CertDigest>` +
  `<ds:DigestMethod xmlns:ds="${dsig}" Algorithm="${sha256}"></ds:DigestMethod>` +
  `<ds:DigestValue xmlns:ds="${dsig}">(?<certificateDigest>${base64})</ds:DigestValue>` +
  `</xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties>` +
  `<xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference="#signed-document">` +
  `<xades:MimeType>application/xml</xades:MimeType></xades:DataObjectFormat>` +
  `</xades:SignedDataObjectProperties></xades:SignedProperties>)` +
  `</xades:QualifyingProperties></ds:Object>$`

const signatureForm = new RegExp(signaturePattern.replace(/(?<!\\)\./g, '\\.'))

type SignatureParts = Record<
  | 'info'
  | 'method'
  | 'documentDigest'
  | 'propertiesDigest'
  | 'value'
  | 'keyInfo'
  | 'properties'
  | 'signingTime'
  | 'certificateDigest',
  string
>

interface Parts {
  before: string
  signature: SignatureParts
  after: string
}

function decode(xml: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(xml)
  } catch (cause) {
    throw new DocumentError('the document is not UTF-8', { cause })
  }
}

function splitSignature(xml: string): Parts {
  const start = xml.indexOf(opening)
  const end = xml.indexOf(closing)
  const isOnly = start === xml.lastIndexOf('<ds:Signature ') && end === xml.lastIndexOf(closing)
  if (!xml.startsWith(declaration) || start < 0 || end < start || !isOnly) {
    throw new DocumentError('the document does not bear exactly one signature of ours')
  }
  const before = xml.slice(declaration.length, start)
  const after = xml.slice(end + closing.length)
  if (!before.endsWith(placeBefore) || !after.startsWith(placeAfter)) {
    throw new DocumentError('the signature is not where it belongs')
  }
  const found = signatureForm.exec(xml.slice(start + opening.length, end))?.groups
  if (!found) throw new DocumentError('the signature does not have the form of ours')
  return { before, signature: found as SignatureParts, after }
}

function resolveReferences(text: string): string {
  if (/[\u0085\u2028\u2029]/.test(text)) {
    throw new DocumentError('the document holds a line end that we write as a reference')
  }
  return text.replace(
    /&#x(?:85|202[89]);/g,
    (reference) => textByReference.get(reference) ?? reference,
  )
}

function parseCertificates(keyInfo: string): [X509Certificate, ...X509Certificate[]] {
  const texts = keyInfo.match(/(?<=>)[A-Za-z0-9+/=]+(?=<)/g) ?? []
  try {
    const [first, ...others] = texts.map(parseCertificate)
    if (first) return [first, ...others]
    throw new Error('there is none')
  } catch (cause) {
    throw new DocumentError('a certificate of the signature cannot be read', { cause })
  }
}

function parseCertificate(text: string): X509Certificate {
  const bytes = decodeBase64(text)
  const certificate = new X509Certificate(bytes)
  if (!certificate.raw.equals(bytes)) throw new Error('bytes follow the certificate')
  return certificate
}

/** Base64 has several spellings; the signer writes the shortest. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  throw new DocumentError('the signature holds base64 that we do not write')
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}

function checkDigest(text: string, stated: string, problem: string): void {
  if (digest(text) !== stated) throw new DocumentError(problem)
}

const rsaBitsMin = 2048

/** XMLDSig 1.1, section 6.4.3: r and s concatenated. */
function isSignedBy({ publicKey }: X509Certificate, { method, info, value }: SignatureParts) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = publicKey
  const fits =
    method === ecdsaSha256
      ? type === 'ec' && details.namedCurve === 'prime256v1'
      : type === 'rsa' && (details.modulusLength ?? 0) >= rsaBitsMin
  if (!fits) return false
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', Buffer.from(info), key, decodeBase64(value))
}

// Text never holds a bare "<", so the signer's elements are found by their text.
const header =
  /<\/ext:UBLExtensions>\n<cbc:UBLVersionID>[^<]*<\/cbc:UBLVersionID><cbc:CustomizationID>[^<]*<\/cbc:CustomizationID><cbc:ID>([^<]+)<\/cbc:ID><cbc:IssueDate>(\d{4}-\d\d-\d\d)<\/cbc:IssueDate>/
const supplier =
  /\n<cac:AccountingSupplierParty><cac:Party><cac:PartyIdentification><cbc:ID>([^<]+)<\/cbc:ID>/

function readIdentity(text: string): Pick<VerifiedDocument, 'number' | 'date' | 'issuerIce'> {
  const [, number, date] = header.exec(text) ?? []
  const [, issuerIce] = supplier.exec(text) ?? []
  // A comment could hide an element.
  if (number === undefined || date === undefined || issuerIce === undefined || /<[!?]/.test(text)) {
    throw new DocumentError('the document does not have the form of ours')
  }
  return { number: unescape(number), date, issuerIce: unescape(issuerIce) }
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescape(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot)|#x([\dA-F]+));/gi,
    (whole, name?: string, code?: string) =>
      code === undefined
        ? (characters[name ?? ''] ?? whole)
        : String.fromCodePoint(parseInt(code, 16)),
  )
}
