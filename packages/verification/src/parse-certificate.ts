import { X509Certificate } from 'node:crypto'

/** By bytes: most documents hold the same, and parsing one costs as much as verifying. */
const parsedBefore = new Map<string, X509Certificate>()
const parsedBeforeMax = 100

/** Throws also for a certificate that is not usable. */
export function parseCertificate(bytes: Uint8Array): X509Certificate {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const known = parsedBefore.get(text)
  if (known) return known
  const certificate = new X509Certificate(bytes)
  if (!isUsable(certificate)) throw new Error('the key or a date of a certificate cannot be read')
  if (parsedBefore.size >= parsedBeforeMax) parsedBefore.clear()
  parsedBefore.set(text, certificate)
  return certificate
}

/** `X509Certificate` reads its key and its dates only when they are used, and throws then. */
export function isUsable(certificate: X509Certificate): boolean {
  try {
    const { publicKey, validFrom, validTo } = certificate
    const times = [validFrom, validTo].map((time) => Date.parse(time))
    return publicKey.type === 'public' && !times.some(Number.isNaN)
  } catch {
    return false
  }
}

/** Of a subject or an issuer. A certificate may have none: the types do not say so. */
export function toOneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ')
}
