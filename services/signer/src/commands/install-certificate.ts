/** The former certificates are removed only after the new ones are stored. */

// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { createHash, type X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import {
  chooseCertificate,
  isIssuedBy,
  isSelfIssued,
  toOneLine,
  readPemCertificates,
} from '../token/certificate-chain'
import { findCertificates, storeCertificate } from '../token/certificates-in-token'
import { signDigest, type KeyInToken } from '../token/key-in-token'
import type { Token } from '../token/token'
import { TokenError } from '../token/token-error'

const probe = Buffer.from('einvoicing certificate probe')

/** `from`: the source of the PEM text, for messages. Returns what was stored, the key's first. */
export async function installCertificate(
  token: Token,
  key: KeyInToken,
  { pem, from, now }: { pem: string; from: string; now: Date },
): Promise<X509Certificate[]> {
  const chain = readChain(pem, from)
  const digest = createHash('sha256').update(probe).digest()
  const signature = await signDigest(token, key, { session: token.session, digest })
  const proof = { probe, signature }
  const signing = chooseCertificate(chain.slice(0, 1), { proof, now, where: from })
  const intermediates = chain.slice(1).filter((certificate) => !isSelfIssued(certificate))
  const before = findCertificates(token)
  const isThere = (certificate: X509Certificate) =>
    before.some((installed) => installed.certificate.raw.equals(certificate.raw))
  for (const certificate of intermediates.filter((each) => !isThere(each))) {
    store(token, certificate, Buffer.alloc(0))
  }
  if (!isThere(signing)) store(token, signing, key.id)
  const replaced = before.filter(
    ({ id, certificate }) => id.equals(key.id) && !certificate.raw.equals(signing.raw),
  )
  for (const { handle } of replaced) token.cryptoki.C_DestroyObject(token.session, handle)
  return [signing, ...intermediates]
}

function readChain(pem: string, from: string): X509Certificate[] {
  const chain = parseCertificates(pem, from)
  chain.forEach((issuer, index) => {
    const issued = chain[index - 1]
    if (!issued || isIssuedBy(issued, issuer)) return
    throw new TokenError(
      'wrong',
      `certificate ${index + 1} in ${from} (${toOneLine(issuer)}) did not issue the one before it (${toOneLine(issued)}): put the key's first, then each one's issuer`,
    )
  })
  return chain
}

function parseCertificates(pem: string, from: string): X509Certificate[] {
  const damaged = `${from} must hold the certificate and its intermediates in PEM`
  try {
    const certificates = readPemCertificates(pem)
    if (certificates.length > 0) return certificates
  } catch (cause) {
    throw new TokenError('wrong', damaged, { cause })
  }
  throw new TokenError('wrong', damaged)
}

function store(token: Token, certificate: X509Certificate, id: Buffer): void {
  const { subjectName, issuerName, serialNumber } = new x509.X509Certificate(certificate.raw)
  storeCertificate(token, {
    der: certificate.raw,
    label: toOneLine(certificate),
    id,
    names: {
      subject: Buffer.from(subjectName.toArrayBuffer()),
      issuer: Buffer.from(issuerName.toArrayBuffer()),
      serialNumber: derInteger(serialNumber),
    },
  })
}

function derInteger(hex: string): Buffer {
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const positive = ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.from([0, ...bytes])
  return Buffer.from([0x02, positive.length, ...positive])
}
