/** A signed document, and what a time-stamp authority adds to it. */

// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { createHash, KeyObject, sign, webcrypto, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as x509 from '@peculiar/x509'
import { readCertificateFields } from '../certificate-fields'
import {
  appendEvidence,
  archiveTimeStampInput,
  readEvidence,
  signatureTimeStampInput,
  type Evidence,
} from '../evidence'
import { readSignedParts } from '../signature-form'
import {
  contextTag,
  tags,
  writeElement,
  writeOctets,
  writeOid,
  writeSequence,
  writeTime,
} from '../der'
import { issueToken } from '../time-stamps/issue-token'

const folder = path.join(__dirname, '../../../../services/artefacts/src/testdata')

export const signedXml = readFileSync(path.join(folder, 'signed.xml'))
export const signers = [
  new X509Certificate(readFileSync(path.join(folder, 'trusted-certificate.pem'))),
]
export const stampedAt = new Date('2026-05-04T12:00:00Z')
export const now = new Date('2026-05-05T12:00:00Z')

const base64Certificates = /(?<=<ds:X509Certificate>)[^<]+/
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const isAuthority = new x509.BasicConstraintsExtension(true, undefined, true)
const stampsOnly = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.timeStamping], true)

interface AuthorityOptions {
  name?: string
  notBefore?: Date
  notAfter?: Date
  /** Of its own keys. */
  algorithm?: object
  stampAlgorithm?: object
  /** Its root is then no root, and sent with its time stamps. */
  issuedBy?: TestAuthority
}

interface Responding {
  about?: X509Certificate
  at?: Date
  by?: webcrypto.CryptoKeyPair
  /** It is also about certificates that ended since then. */
  archiveCutoff?: Date
}

interface Issued {
  subject: string
  extensions: x509.Extension[]
  notAfter?: Date | undefined
}

interface Stamped {
  input: Buffer
  time: Date
}

export class TestAuthority {
  static async make(options: AuthorityOptions = {}): Promise<TestAuthority> {
    const made = new TestAuthority(await makeKeys(options.algorithm), options)
    const { issuedBy = made } = options
    made.root = await issuedBy.issueAuthority(made.keys, made.subject)
    made.links = issuedBy === made ? [] : [made.root]
    const stampKeys = await makeKeys(options.stampAlgorithm)
    made.stampKey = KeyObject.from(stampKeys.privateKey)
    made.stamper = await made.issueStamper(stampKeys)
    return made
  }

  root!: X509Certificate
  stamper!: X509Certificate
  private stampKey!: KeyObject
  private links: X509Certificate[] = []
  private readonly keys: webcrypto.CryptoKeyPair
  private readonly algorithm: object
  private readonly subject: string
  private readonly notBefore: Date
  private readonly notAfter: Date
  private issued = 0

  private constructor(keys: webcrypto.CryptoKeyPair, options: AuthorityOptions) {
    this.keys = keys
    this.algorithm = options.algorithm ?? algorithm
    this.subject = `CN=${options.name ?? 'authority'}`
    this.notBefore = options.notBefore ?? new Date('2026-01-01')
    this.notAfter = options.notAfter ?? new Date('2036-01-01')
  }

  issueAuthority(
    keys: webcrypto.CryptoKeyPair,
    subject = this.subject,
  ): Promise<X509Certificate> {
    return this.issue({ subject, extensions: [isAuthority] }, keys)
  }

  issueStamper(keys: webcrypto.CryptoKeyPair, subject = 'CN=stamper'): Promise<X509Certificate> {
    return this.issue({ subject, extensions: [stampsOnly] }, keys)
  }

  issueSigner(keys: webcrypto.CryptoKeyPair, notAfter?: Date): Promise<X509Certificate> {
    return this.issue({ subject: 'CN=signer', extensions: [], notAfter }, keys)
  }

  issueResponder(keys: webcrypto.CryptoKeyPair, notAfter?: Date): Promise<X509Certificate> {
    const extensions = [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.ocspSigning])]
    return this.issue({ subject: 'CN=responder', extensions, notAfter }, keys)
  }

  /** Over the signature, with the key of `stamper`, naming another certificate if given. */
  stamp(certificate = this.stamper, stamped: Partial<Stamped> = {}): Buffer {
    const { input = signatureTimeStampInput(readSignedParts(signedXml)) } = stamped
    const digest = createHash('sha256').update(input).digest()
    const authority = { privateKey: this.stampKey, policy: '1.3.6.1.4.1.9999.1' }
    return issueToken(
      { hash: 'sha256', digest, nonce: 1n },
      { ...authority, certificates: [certificate, ...this.links] },
      { time: stamped.time ?? stampedAt, serialNumber: 1n },
    )
  }

  async list(
    thisUpdate = now,
    entries: { serialNumber: string; revocationDate: Date }[] = [],
    extensions: x509.Extension[] = [],
  ): Promise<Buffer> {
    const made = await x509.X509CrlGenerator.create(
      {
        issuer: this.subject, thisUpdate, entries, extensions,
        signingAlgorithm: this.algorithm as typeof algorithm, signingKey: this.keys.privateKey,
      },
      webcrypto,
    )
    return Buffer.from(made.rawData)
  }

  /** Good; sent with these bytes as the certificate of the responder. */
  respond(certificate: Buffer, responding: Responding = {}): Buffer {
    const { about = this.stamper, at = now, by = this.keys, archiveCutoff } = responding
    const sha256 = writeSequence(writeOid('2.16.840.1.101.3.4.2.1'))
    const digest = (content: Buffer) =>
      writeOctets(createHash('sha256').update(content).digest())
    const { issuer, serialNumber } = readCertificateFields(about)
    const { publicKey } = readCertificateFields(this.root)
    const identity = writeSequence(
      ...[sha256, digest(issuer), digest(publicKey)],
      writeElement(tags.integer, serialNumber),
    )
    const data = writeSequence(
      writeElement(contextTag(2), digest(publicKey)),
      writeTime(at),
      writeSequence(
        writeSequence(
          ...[identity, writeElement(0x80), writeTime(at)],
          ...(archiveCutoff ? [writeArchiveCutoff(archiveCutoff)] : []),
        ),
      ),
    )
    const bits = sign('sha256', data, KeyObject.from(by.privateKey))
    const basic = writeSequence(
      ...[data, writeSequence(writeOid('1.2.840.10045.4.3.2'))],
      writeElement(tags.bitString, Buffer.from([0]), bits),
      writeElement(contextTag(0), writeSequence(certificate)),
    )
    const body = writeSequence(writeOid('1.3.6.1.5.5.7.48.1.1'), writeOctets(basic))
    return writeSequence(writeElement(0x0a, Buffer.from([0])), writeElement(contextTag(0), body))
  }

  private async issue(
    { subject, extensions, notAfter = this.notAfter }: Issued,
    { publicKey }: webcrypto.CryptoKeyPair,
  ): Promise<X509Certificate> {
    this.issued += 1
    const made = await x509.X509CertificateGenerator.create(
      {
        subject, issuer: this.subject, serialNumber: `0${this.issued}`, publicKey,
        notBefore: this.notBefore, notAfter, extensions,
        signingKey: this.keys.privateKey,
        signingAlgorithm: this.algorithm as typeof algorithm,
      },
      webcrypto,
    )
    return new X509Certificate(Buffer.from(made.rawData))
  }
}

function writeArchiveCutoff(since: Date): Buffer {
  const oid = writeOid('1.3.6.1.5.5.7.48.1.6')
  const extension = writeSequence(oid, writeOctets(writeTime(since)))
  return writeElement(contextTag(1), writeSequence(extension))
}

export interface Added {
  /** `signedXml` if absent. */
  original?: Buffer
  token: Buffer
  certificates?: readonly Buffer[]
  crls?: readonly Buffer[]
  ocspResponses?: readonly Buffer[]
}

/** Of level LT. */
export function addAll({ token, ...more }: Added): Buffer {
  const { original = signedXml, certificates = [], crls = [], ocspResponses = [] } = more
  return appendEvidence(original, [
    { kind: 'signatureTimeStamp', token },
    ...(certificates.length > 0 ? [{ kind: 'certificates', certificates } as const] : []),
    { kind: 'revocationData', crls, ocspResponses },
  ])
}

export function signBy(
  certificate: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
  document = signedXml,
): Buffer {
  const sha256 = (content: Uint8Array | string) =>
    createHash('sha256').update(content).digest('base64')
  const { text, signature: old } = readSignedParts(document)
  const named = document
    .toString()
    .replace(old.documentDigest, sha256(text))
    .replace(base64Certificates, certificate.raw.toString('base64'))
    .replace(old.certificateDigest, sha256(certificate.raw))
  const { properties } = readSignedParts(Buffer.from(named)).signature
  const digested = named.replace(old.propertiesDigest, sha256(properties))
  const { info } = readSignedParts(Buffer.from(digested)).signature
  const key = { key: KeyObject.from(privateKey), dsaEncoding: 'ieee-p1363' } as const
  const value = sign('sha256', Buffer.from(info), key).toString('base64')
  return Buffer.from(digested.replace(old.value, value))
}

export async function toLongTerm(
  authority: TestAuthority,
  more: Pick<Added, 'certificates' | 'crls'> = {},
): Promise<Buffer> {
  return addAll({
    token: authority.stamp(),
    certificates: [authority.root.raw, ...(more.certificates ?? [])],
    crls: [await authority.list(), ...(more.crls ?? [])],
  })
}

/** Level LTA, stamped a day after `stampedAt`. */
export async function archive(
  authority: TestAuthority,
  more: Pick<Added, 'certificates' | 'crls'> = {},
): Promise<Buffer> {
  return stampArchive(await toLongTerm(authority, more), authority, { number: 1, time: now })
}

export interface Renewal {
  first: TestAuthority
  second: TestAuthority
  time: Date
}

/** The authorities' lists are of the time of the stamp. */
export async function renew(xml: Buffer, { first, second, time }: Renewal): Promise<Buffer> {
  const data: Evidence[] = [
    { kind: 'certificates', certificates: [second.root.raw] },
    {
      kind: 'timeStampValidationData',
      number: 1, crls: [await first.list(time), await second.list(time)], ocspResponses: [],
    },
  ]
  return stampArchive(appendEvidence(xml, data), second, { number: 2, time })
}

export function stampArchive(
  xml: Buffer,
  by: TestAuthority,
  { number, time }: { number: number; time: Date },
): Buffer {
  const parts = readSignedParts(xml)
  const input = archiveTimeStampInput(parts, readEvidence(parts))
  const token = by.stamp(by.stamper, { input, time })
  return appendEvidence(xml, [{ kind: 'archiveTimeStamp', number, token }])
}

export function makeKeys(name: object = algorithm): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(name as typeof algorithm, true, ['sign', 'verify'])
}
