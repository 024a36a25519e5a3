/** A signed document, and what a time-stamp authority adds to it. */

// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { createHash, KeyObject, sign, webcrypto, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as x509 from '@peculiar/x509'
import { addEvidence, signatureTimeStampInput } from '../evidence'
import { readCertificateFields } from '../revocation/statement'
import { readSignedParts } from '../signature-form'
import {
  contextTag,
  tags,
  writeElement,
  writeOctets,
  writeOid,
  writeSequence,
  writeTime,
} from '../time-stamps/der'
import { issueToken } from '../time-stamps/issue-token'

const folder = path.join(__dirname, '../../../../services/artefacts/src/testdata')

export const signedXml = readFileSync(path.join(folder, 'signed.xml'))
export const signers = [
  new X509Certificate(readFileSync(path.join(folder, 'trusted-certificate.pem'))),
]
export const stampedAt = new Date('2026-05-04T12:00:00Z')
export const now = new Date('2026-05-05T12:00:00Z')

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const isAuthority = new x509.BasicConstraintsExtension(true, undefined, true)
const stampsOnly = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.timeStamping], true)

export class TestAuthority {
  static async make(): Promise<TestAuthority> {
    const made = new TestAuthority(await makeKeys())
    made.root = await made.issueAuthority(made.keys)
    const stampKeys = await makeKeys()
    made.stampKey = KeyObject.from(stampKeys.privateKey)
    made.stamper = await made.issueStamper(stampKeys)
    return made
  }

  root!: X509Certificate
  stamper!: X509Certificate
  private stampKey!: KeyObject
  private readonly keys: webcrypto.CryptoKeyPair
  private issued = 0

  private constructor(keys: webcrypto.CryptoKeyPair) {
    this.keys = keys
  }

  /** Of the same name. */
  issueAuthority(keys: webcrypto.CryptoKeyPair): Promise<X509Certificate> {
    return this.issue('CN=authority', keys, isAuthority)
  }

  issueStamper(keys: webcrypto.CryptoKeyPair, subject = 'CN=stamper'): Promise<X509Certificate> {
    return this.issue(subject, keys, stampsOnly)
  }

  /** Over the signature, with the key of `stamper`, naming another certificate if given. */
  stamp(certificate = this.stamper): Buffer {
    const input = signatureTimeStampInput(readSignedParts(signedXml))
    const digest = createHash('sha256').update(input).digest()
    const authority = { privateKey: this.stampKey, policy: '1.3.6.1.4.1.9999.1' }
    return issueToken(
      { hash: 'sha256', digest, nonce: 1n },
      { ...authority, certificates: [certificate] },
      { time: stampedAt, serialNumber: 1n },
    )
  }

  async list(): Promise<Buffer> {
    const made = await x509.X509CrlGenerator.create(
      {
        ...{ issuer: 'CN=authority', thisUpdate: now, signingAlgorithm: algorithm },
        signingKey: this.keys.privateKey,
      },
      webcrypto,
    )
    return Buffer.from(made.rawData)
  }

  /** Good; sent with these bytes as the certificate of the responder. */
  respond(certificate: Buffer): Buffer {
    const sha256 = writeSequence(writeOid('2.16.840.1.101.3.4.2.1'))
    const digest = (content: Buffer) =>
      writeOctets(createHash('sha256').update(content).digest())
    const { issuer, serialNumber } = readCertificateFields(this.stamper)
    const { publicKey } = readCertificateFields(this.root)
    const identity = writeSequence(
      ...[sha256, digest(issuer), digest(publicKey)],
      writeElement(tags.integer, serialNumber),
    )
    const data = writeSequence(
      writeElement(contextTag(2), digest(publicKey)),
      writeTime(now),
      writeSequence(writeSequence(identity, writeElement(0x80), writeTime(now))),
    )
    const bits = sign('sha256', data, KeyObject.from(this.keys.privateKey))
    const basic = writeSequence(
      ...[data, writeSequence(writeOid('1.2.840.10045.4.3.2'))],
      writeElement(tags.bitString, Buffer.from([0]), bits),
      writeElement(contextTag(0), writeSequence(certificate)),
    )
    const body = writeSequence(writeOid('1.3.6.1.5.5.7.48.1.1'), writeOctets(basic))
    return writeSequence(writeElement(0x0a, Buffer.from([0])), writeElement(contextTag(0), body))
  }

  private async issue(
    subject: string,
    { publicKey }: webcrypto.CryptoKeyPair,
    extension: x509.Extension,
  ): Promise<X509Certificate> {
    this.issued += 1
    const made = await x509.X509CertificateGenerator.create(
      {
        ...{ subject, issuer: 'CN=authority', serialNumber: `0${this.issued}`, publicKey },
        ...{ notBefore: new Date('2026-01-01'), notAfter: new Date('2036-01-01') },
        ...{ signingKey: this.keys.privateKey, signingAlgorithm: algorithm },
        extensions: [extension],
      },
      webcrypto,
    )
    return new X509Certificate(Buffer.from(made.rawData))
  }
}

export interface Added {
  token: Buffer
  certificates?: readonly Buffer[]
  crls?: readonly Buffer[]
  ocspResponses?: readonly Buffer[]
}

/** Of level LT. */
export function addAll({ token, certificates = [], crls = [], ocspResponses = [] }: Added): Buffer {
  return addEvidence(signedXml, [
    { kind: 'signatureTimeStamp', token },
    ...(certificates.length > 0 ? [{ kind: 'certificates', certificates } as const] : []),
    { kind: 'revocationData', crls, ocspResponses },
  ])
}

export function makeKeys(name: object = algorithm): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(name as typeof algorithm, true, ['sign', 'verify'])
}
