import { createHash, verify, type X509Certificate } from 'node:crypto'
import { isTrusted } from './certificate-chain'
import { parseCertificate } from './parse-certificate'
import {
  decodeBase64,
  DocumentError,
  ecdsaSha256,
  readSignedParts,
  rsaBitsMin,
  type SignatureParts,
} from './signature-form'

export interface DocumentIdentity {
  number: string
  date: string
  issuerIce: string
}

export interface VerifiedDocument extends DocumentIdentity {
  text: string
  signedAt: Date
}

/** Returns the digested text. Without `trusted`, accepts any issuer. Throws `DocumentError`. */
export function verifyDocument(
  xml: Uint8Array,
  trusted: readonly X509Certificate[] | undefined,
): VerifiedDocument {
  const { text, signature } = readSignedParts(xml)
  if (signature.unsigned !== undefined) {
    throw new DocumentError('the document contains more than the signer writes')
  }
  const certificates = parseCertificates(signature.keyInfo)
  const signedAt = new Date(signature.signingTime)
  checkDigest(text, signature.documentDigest, 'the document was changed after it was signed')
  checkDigest(signature.properties, signature.propertiesDigest, 'the signed properties differ')
  if (digest(certificates[0].raw) !== signature.certificateDigest) {
    throw new DocumentError('the signature names a certificate other than the one it contains')
  }
  if (!isSignedBy(certificates[0], signature)) {
    throw new DocumentError('the signature value does not match its certificate')
  }
  if (trusted && !isTrusted({ certificates, trusted, at: signedAt })) {
    throw new DocumentError('no trusted authority issued the certificate of the signature')
  }
  return { text, ...readIdentity(text), signedAt }
}

/** The signer's, then the links to its authority. */
export function parseCertificates(keyInfo: string): [X509Certificate, ...X509Certificate[]] {
  const texts = keyInfo.match(/(?<=>)[A-Za-z0-9+/=]+(?=<)/g) ?? []
  try {
    const [first, ...others] = texts.map(decodeCertificate)
    if (first) return [first, ...others]
    throw new Error('there is none')
  } catch (cause) {
    throw new DocumentError('a certificate of the signature cannot be read', { cause })
  }
}

function decodeCertificate(text: string): X509Certificate {
  const bytes = decodeBase64(text)
  const certificate = parseCertificate(bytes)
  if (!certificate.raw.equals(bytes)) throw new Error('bytes follow the certificate')
  return certificate
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}

function checkDigest(text: string, stated: string, problem: string): void {
  if (digest(text) !== stated) throw new DocumentError(problem)
}

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

function readIdentity(text: string): DocumentIdentity {
  const [, number, date] = header.exec(text) ?? []
  const [, issuerIce] = supplier.exec(text) ?? []
  // A comment could hide an element.
  if (number === undefined || date === undefined || issuerIce === undefined || /<[!?]/.test(text)) {
    throw new DocumentError('the document does not have the form that this service writes')
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
