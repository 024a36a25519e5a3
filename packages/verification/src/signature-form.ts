// The text must have exactly the form of `services/signer/src/xades/signature.ts` and `./evidence`
// (XAdES B-B, ETSI EN 319 132-1). A general XMLDSig verifier would accept more.

export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

export const dsig = 'http://www.w3.org/2000/09/xmldsig#'
export const etsi = 'http://uri.etsi.org/01903/v1.3.2#'
export const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = `${dsig}enveloped-signature`
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
export const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'
export const rsaBitsMin = 2048

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

export const base64 = '[A-Za-z0-9+/]+={0,2}'
const digestMethod = `<ds:DigestMethod Algorithm="${sha256}"></ds:DigestMethod>`
const transform = (algorithm: string, parameter = '') =>
  `<ds:Transform Algorithm="${algorithm}">${parameter}</ds:Transform>`
const inclusive = `<ec:InclusiveNamespaces xmlns:ec="${excC14n}" PrefixList="[\\w# ]*"></ec:InclusiveNamespaces>`

export const unsignedOpening = '<xades:UnsignedProperties><xades:UnsignedSignatureProperties>'
export const unsignedClosing = '</xades:UnsignedSignatureProperties></xades:UnsignedProperties>'

const signaturePattern =
  `^(?<info><ds:SignedInfo xmlns:ds="${dsig}">` +
  `<ds:CanonicalizationMethod Algorithm="${excC14n}"></ds:CanonicalizationMethod>` +
  `<ds:SignatureMethod Algorithm="(?<method>${ecdsaSha256}|${rsaSha256})"></ds:SignatureMethod>` +
  `<ds:Reference Id="signed-document" URI=""><ds:Transforms>` +
  `${transform(enveloped)}${transform(excC14n, inclusive)}</ds:Transforms>${digestMethod}` +
  `<ds:DigestValue>(?<documentDigest>${base64})</ds:DigestValue></ds:Reference>` +
  `<ds:Reference Type="${signedPropertiesType}" URI="#signed-properties">` +
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
  `(?:${unsignedOpening}(?<unsigned>[^]*)${unsignedClosing})?` +
  `</xades:QualifyingProperties></ds:Object>$`

const signatureForm = new RegExp(signaturePattern.replace(/(?<!\\)\./g, '\\.'))

export type SignatureParts = Record<
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
> & {
  /** Added after signing; absent at level B. */
  unsigned?: string
}

export interface SignedParts {
  /** The document without its signature, as digested. */
  text: string
  signature: SignatureParts
}

export function readSignedParts(xml: Uint8Array): SignedParts {
  const { before, signature, after } = splitSignature(decode(xml))
  return { text: resolveReferences(before + after), signature }
}

function decode(xml: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(xml)
  } catch (cause) {
    throw new DocumentError('the document is not UTF-8', { cause })
  }
}

function splitSignature(xml: string) {
  const start = xml.indexOf(opening)
  const end = xml.indexOf(closing)
  const isOnly = start === xml.lastIndexOf('<ds:Signature ') && end === xml.lastIndexOf(closing)
  if (!xml.startsWith(declaration) || start < 0 || end < start || !isOnly) {
    throw new DocumentError('the document does not contain exactly one signature of this service')
  }
  const before = xml.slice(declaration.length, start)
  const after = xml.slice(end + closing.length)
  if (!before.endsWith(placeBefore) || !after.startsWith(placeAfter)) {
    throw new DocumentError('the signature is at the wrong place in the document')
  }
  const found = signatureForm.exec(xml.slice(start + opening.length, end))?.groups
  if (!found)
    throw new DocumentError('the signature does not have the form that this service writes')
  return { before, signature: found as SignatureParts, after }
}

function resolveReferences(text: string): string {
  if (/[\u0085\u2028\u2029]/.test(text)) {
    throw new DocumentError(
      'the document contains a line separator that this service writes as a character reference',
    )
  }
  return text.replace(
    /&#x(?:85|202[89]);/g,
    (reference) => textByReference.get(reference) ?? reference,
  )
}

/** Base64 has several spellings; we write the shortest. */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  throw new DocumentError('the signature contains base64 that is not in its shortest form')
}
