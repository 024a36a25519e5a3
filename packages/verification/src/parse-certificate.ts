import { X509Certificate } from 'node:crypto'

/** By bytes: most documents hold the same, and parsing one costs as much as verifying. */
const parsedBefore = new Map<string, X509Certificate>()
const parsedBeforeMax = 100

/** Stricter than `X509Certificate`, which ignores bytes after the certificate. */
export function parseCertificate(bytes: Uint8Array): X509Certificate {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const known = parsedBefore.get(text)
  if (known) return known
  const certificate = new X509Certificate(bytes)
  if (parsedBefore.size >= parsedBeforeMax) parsedBefore.clear()
  parsedBefore.set(text, certificate)
  return certificate
}
