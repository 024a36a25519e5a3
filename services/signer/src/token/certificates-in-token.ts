import { X509Certificate } from 'node:crypto'
import { cka, cko, x509CertificateType, type Handle } from './cryptoki'
import { findObjects, readAttribute, type Token } from './token'

export interface CertificateInToken {
  handle: Handle
  /** That of the key; empty for an intermediate stored without one. */
  id: Buffer
  certificate: X509Certificate
}

/** An object without a readable certificate is skipped. */
export function findCertificates(token: Token): CertificateInToken[] {
  return findObjects(token, [{ type: cka.class, value: cko.certificate }]).flatMap((handle) => {
    const certificate = parse(readAttribute(token, handle, cka.value))
    return certificate ? [{ handle, id: readAttribute(token, handle, cka.id), certificate }] : []
  })
}

/** Readable without login. */
export function storeCertificate(
  { cryptoki, session }: Token,
  entry: { der: Buffer; names: CertificateNames; label: string; id: Buffer },
): void {
  cryptoki.C_CreateObject(session, [
    { type: cka.class, value: cko.certificate },
    { type: cka.certificateType, value: x509CertificateType },
    { type: cka.token, value: true },
    { type: cka.private, value: false },
    { type: cka.label, value: entry.label },
    { type: cka.id, value: entry.id },
    { type: cka.subject, value: entry.names.subject },
    { type: cka.issuer, value: entry.names.issuer },
    { type: cka.serialNumber, value: entry.names.serialNumber },
    { type: cka.value, value: entry.der },
  ])
}

export interface CertificateNames {
  subject: Buffer
  issuer: Buffer
  serialNumber: Buffer
}

function parse(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
