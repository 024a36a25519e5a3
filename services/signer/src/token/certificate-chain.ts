/**
 * Which certificate goes with a key, and which intermediates follow it.
 *
 * Refuses a certificate of another key, and one that is not valid now.
 */

import { X509Certificate, verify } from 'node:crypto'
import { TokenError } from './token-error'

/** What the key made of a probe: a certificate that refutes it is another key's. */
export interface Proof {
  probe: Buffer
  signature: Buffer
}

/**
 * The one of `candidates` that the key proves, renewed ones first. `where`: where they were found,
 * for the operator.
 */
export function chooseCertificate(
  candidates: readonly X509Certificate[],
  { proof, now, where }: { proof: Proof; now: Date; where: string },
): X509Certificate {
  const own = candidates
    .filter((certificate) => isProvedBy(certificate, proof))
    .sort((a, b) => Date.parse(b.validTo) - Date.parse(a.validTo))
  const [last] = own
  if (last === undefined) {
    throw new TokenError(
      'wrong',
      candidates.length === 0
        ? `there is no certificate for the key in ${where}: install it with npm run key -- install FILE`
        : `the certificate in ${where} (${toOneLine(candidates[0])}) is of another key: install the right one with npm run key -- install FILE`,
    )
  }
  const valid = own.find((certificate) => isValid(certificate, now))
  if (valid) return valid
  const isExpired = Date.parse(last.validTo) <= now.getTime()
  throw new TokenError(
    'wrong',
    `the certificate in ${where} (${toOneLine(last)}) ` +
      (isExpired
        ? `expired on ${last.validTo}: install a new one with npm run key -- install FILE`
        : `is not valid before ${last.validFrom}: check the clock, or wait`),
  )
}

/** DER: `signing`, then whoever of `others` issued it, up to a root, which is not among them. */
export function chainFrom(
  signing: X509Certificate,
  others: readonly X509Certificate[],
): [Buffer, ...Buffer[]] {
  const chain: [Buffer, ...Buffer[]] = [signing.raw]
  let last = signing
  for (;;) {
    const issuer = others.find((other) => isIssuedBy(last, other))
    if (!issuer || isSelfIssued(issuer) || chain.some((der) => der.equals(issuer.raw))) return chain
    chain.push(issuer.raw)
    last = issuer
  }
}

/** Every certificate of a PEM text, as ordered there. Throws when one is damaged. */
export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** For a sentence: the subject in one line. */
export function toOneLine(certificate: X509Certificate | undefined): string {
  return certificate?.subject.replaceAll('\n', ', ') ?? ''
}

export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

export function isSelfIssued({ subject, issuer }: X509Certificate): boolean {
  return subject === issuer
}

function isProvedBy({ publicKey: key }: X509Certificate, { probe, signature }: Proof): boolean {
  const isOurKind = key.asymmetricKeyType === 'ec' || key.asymmetricKeyType === 'rsa'
  return isOurKind && verify('sha256', probe, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() < Date.parse(validTo)
}
