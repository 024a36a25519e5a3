// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { KeyPair, RevocationList, StamperOptions } from './key-pair'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const organization = 'C=MA, O=Electronic Invoicing Service'
const dayMs = 86_400_000
const yearMs = 365.25 * dayMs
const rootYears = 25
// For validators whose clock is slow.
const backdatedMs = 3_600_000

export async function makeRoot(now: Date, name = 'Sandbox Time Stamps Root'): Promise<KeyPair> {
  const keys = await makeKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validFrom(now, rootYears * yearMs),
      name: `${organization}, CN=${name}`,
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return toPair(keys, certificate)
}

/** RFC 3161, section 2.3: for time stamps only; `usages` makes a wrong one. */
export async function makeStamper(
  root: KeyPair,
  { now, days, crlUrl }: StamperOptions,
  usages = [x509.ExtendedKeyUsage.timeStamping],
): Promise<KeyPair> {
  const keys = await makeKeys()
  const issuer = new x509.X509Certificate(root.certificate.raw)
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...validFrom(now, days * dayMs),
      subject: `${organization}, CN=Sandbox Time Stamps`,
      issuer: issuer.subjectName,
      publicKey: keys.publicKey,
      signingKey: await importForSigning(root),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension(usages, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
        new x509.CRLDistributionPointsExtension([crlUrl]),
      ],
    },
    webcrypto,
  )
  return toPair(keys, certificate)
}

export function makeWrongStamper(root: KeyPair, options: StamperOptions): Promise<KeyPair> {
  const { timeStamping, codeSigning } = x509.ExtendedKeyUsage
  return makeStamper(root, options, [timeStamping, codeSigning])
}

export async function makeRevocationList(
  root: KeyPair,
  { thisUpdate, nextUpdate, revoked }: Omit<RevocationList, 'bytes'>,
): Promise<Buffer> {
  const issuer = new x509.X509Certificate(root.certificate.raw)
  const list = await x509.X509CrlGenerator.create(
    {
      issuer: issuer.subjectName,
      thisUpdate,
      nextUpdate,
      entries: revoked.map(({ serialNumber, at }) => ({
        serialNumber,
        revocationDate: new Date(at),
      })),
      signingAlgorithm: algorithm,
      signingKey: await importForSigning(root),
      extensions: [
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return Buffer.from(list.rawData)
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function importForSigning({ privateKey }: KeyPair): Promise<webcrypto.CryptoKey> {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
}

function validFrom(now: Date, lifeMs: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: new Date(now.getTime() + lifeMs),
  }
}

function toPair(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate): KeyPair {
  return {
    privateKey: KeyObject.from(keys.privateKey),
    certificate: new X509Certificate(Buffer.from(certificate.rawData)),
  }
}
