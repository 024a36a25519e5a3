// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { KeyPair } from './key-file'
import type { KeyAlgorithm } from './signing-key'

const organization = 'C=MA, O=Electronic Invoicing Service'
const dayMs = 86_400_000
const authorityDays = 20 * 365
const signingDays = 5 * 365
// For validators whose clock is slow.
const backdatedMs = 3_600_000

type IssuingAuthority = KeyPair & { algorithm: KeyAlgorithm }

export const keyParameters = {
  ecp256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa2048: rsa(2048),
  rsa3072: rsa(3072),
} satisfies Record<KeyAlgorithm, unknown>

/** Private key and self-signed certificate, in PEM. It may issue end certificates only. */
export async function makeAuthority(algorithm: KeyAlgorithm, now: Date): Promise<string> {
  const keys = await generateKeys(algorithm)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validFrom(now, authorityDays, Infinity),
      name: `${organization}, CN=Electronic Invoicing Service CA`,
      keys,
      signingAlgorithm: keyParameters[algorithm],
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
  return toPem(keys, certificate)
}

/** In PEM; the certificate never outlives the authority. */
export async function issueSigningKey(
  algorithm: KeyAlgorithm,
  authority: IssuingAuthority,
  now: Date,
): Promise<string> {
  const keys = await generateKeys(algorithm)
  return toPem(keys, await issueCertificate(keys.publicKey, authority, now))
}

export async function certifyPublicKey(
  publicKey: KeyObject,
  {
    algorithm,
    authority,
    now,
  }: { algorithm: KeyAlgorithm; authority: IssuingAuthority; now: Date },
): Promise<string> {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const imported = await importPublicKey(spki, algorithm)
  return (await issueCertificate(imported, authority, now)).toString('pem')
}

export function importPublicKey(
  spki: Buffer,
  algorithm: KeyAlgorithm,
): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('spki', spki, keyParameters[algorithm], true, ['verify'])
}

async function issueCertificate(
  publicKey: webcrypto.CryptoKey,
  authority: IssuingAuthority,
  now: Date,
): Promise<x509.X509Certificate> {
  const issuer = new x509.X509Certificate(authority.certificate.raw)
  return x509.X509CertificateGenerator.create(
    {
      ...validFrom(now, signingDays, Date.parse(authority.certificate.validTo)),
      subject: `${organization}, CN=Electronic Invoicing Service Signer`,
      issuer: issuer.subjectName,
      publicKey,
      signingKey: await importForSigning(authority),
      signingAlgorithm: keyParameters[authority.algorithm],
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
        noRevocationAvailable,
      ],
    },
    webcrypto,
  )
}

/** RFC 9608: no revocation is published, so validators need not wait for any. An ASN.1 NULL. */
const noRevocationAvailable = new x509.Extension('2.5.29.56', false, Buffer.from([0x05, 0x00]))

function generateKeys(algorithm: KeyAlgorithm): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(keyParameters[algorithm], true, ['sign', 'verify'])
}

function importForSigning({ privateKey, algorithm }: IssuingAuthority) {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, keyParameters[algorithm], false, ['sign'])
}

function rsa(modulusLength: number) {
  const publicExponent = new Uint8Array([1, 0, 1])
  return { name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent, hash: 'SHA-256' }
}

function validFrom(now: Date, days: number, latestMs: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: new Date(Math.min(now.getTime() + days * dayMs, latestMs)),
  }
}

function toPem(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate): string {
  const privateKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return `${privateKey.toString()}${certificate.toString('pem')}\n`
}
