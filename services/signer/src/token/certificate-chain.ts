import { X509Certificate, verify } from 'node:crypto'
import { TokenError } from './token-error'

/** A certificate that does not verify this signature belongs to another key. */
export interface Proof {
  probe: Buffer
  signature: Buffer
}

/** The valid one for the key that expires last. `where` is for the error message. */
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
        ? `there is no certificate for the key in ${where}: install it with npm run admin -- key install FILE`
        : `the certificate in ${where} (${toOneLine(candidates[0])}) is of another key: install the right one with npm run admin -- key install FILE`,
    )
  }
  const valid = own.find((certificate) => isValid(certificate, now))
  if (valid) return valid
  const isExpired = Date.parse(last.validTo) <= now.getTime()
  throw new TokenError(
    'wrong',
    `the certificate in ${where} (${toOneLine(last)}) ` +
      (isExpired
        ? `expired on ${last.validTo}: install a new one with npm run admin -- key install FILE`
        : `is not valid before ${last.validFrom}: check the clock, or wait`),
  )
}

/** DER: `signing`, then its issuers among `others`, without the root. */
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

/** In the order of the text. Throws when one is damaged. */
export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

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
