import { createHash, type X509Certificate } from 'node:crypto'
import { readCertificateFields } from '../certificate-fields'
import { tags, writeElement, writeOctets, writeOid, writeSequence } from '../der'

const sha1 = '1.3.14.3.2.26'

/**
 * Without nonce, so that responders may answer from a cache (RFC 6960; RFC 5019). Names are hashed
 * by SHA-1, which every responder knows.
 */
export function encodeOcspRequest(certificate: X509Certificate, issuer: X509Certificate): Buffer {
  const digest = (content: Buffer) => createHash('sha1').update(content).digest()
  const { serialNumber } = readCertificateFields(certificate)
  const { subject, publicKey } = readCertificateFields(issuer)
  const identity = writeSequence(
    writeSequence(writeOid(sha1), writeElement(tags.null)),
    writeOctets(digest(subject)),
    writeOctets(digest(publicKey)),
    writeElement(tags.integer, serialNumber),
  )
  return writeSequence(writeSequence(writeSequence(writeSequence(identity))))
}
