/** Evidence added to documents by authorities of tests, at dates of tests. */

import { createHash, KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import {
  appendEvidence,
  archiveTimeStampInput,
  readEvidence,
  signatureTimeStampInput,
  type Evidence,
} from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import {
  issueToken,
  type TimeStampAuthority,
} from '@einvoicing/verification/time-stamps/issue-token'

export const dayMs = 86_400_000
export const yearMs = 365 * dayMs
export const now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
export const after = (ms: number) => new Date(now.getTime() + ms)

export interface TestAuthority {
  stamps: TimeStampAuthority
  root: string
  rootCertificate: Buffer
  /** Says of the time stamp authority's certificate that it was not revoked then. */
  crlAt(time: Date, revoked?: readonly string[]): Promise<Buffer>
}

export function toT(xml: Buffer, first: TestAuthority): Promise<Buffer> {
  const input = signatureTimeStampInput(readSignedParts(xml))
  const token = stamp(first, input, now)
  return Promise.resolve(appendEvidence(xml, [{ kind: 'signatureTimeStamp', token }]))
}

export async function toLt(xml: Buffer, first: TestAuthority): Promise<Buffer> {
  return appendEvidence(await toT(xml, first), [
    { kind: 'certificates', certificates: [first.rootCertificate] },
    { kind: 'revocationData', crls: [await first.crlAt(after(3_600_000))], ocspResponses: [] },
  ])
}

export async function toLta(xml: Buffer, first: TestAuthority): Promise<Buffer> {
  return addArchiveTimeStamp(await toLt(xml, first), {
    by: first,
    time: after(7_200_000),
    number: 1,
  })
}

export async function renew(
  xml: Buffer,
  first: TestAuthority,
  second: TestAuthority,
): Promise<Buffer> {
  const time = after(2 * yearMs)
  const revocation: Evidence = {
    kind: 'timeStampValidationData',
    number: 1,
    // About the second authority, too: an offline verifier has no other.
    crls: [await first.crlAt(time), await second.crlAt(time)],
    ocspResponses: [],
  }
  const renewed = appendEvidence(await toLta(xml, first), [revocation])
  return addArchiveTimeStamp(renewed, { by: second, time: new Date(+time + dayMs), number: 2 })
}

interface ArchiveStamp {
  by: TestAuthority
  time: Date
  number: number
}

export function addArchiveTimeStamp(xml: Buffer, { by, time, number }: ArchiveStamp): Buffer {
  const parts = readSignedParts(xml)
  const token = stamp(by, archiveTimeStampInput(parts, readEvidence(parts)), time)
  return appendEvidence(xml, [{ kind: 'archiveTimeStamp', number, token }])
}

export function stamp({ stamps }: TestAuthority, input: Buffer, time: Date): Buffer {
  const digest = createHash('sha256').update(input).digest()
  const request = { hash: 'sha256', digest, nonce: 1n } as const
  return issueToken(request, stamps, { time, serialNumber: 1n })
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export async function makeAuthority(name: string, notAfter: Date): Promise<TestAuthority> {
  const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [rootKeys, keys] = [await makeKeys(), await makeKeys()]
  const subject = (kind: string) => `C=MA, O=Tests, CN=${name} ${kind}`
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: subject('root'),
      keys: rootKeys,
      signingAlgorithm: algorithm,
      notBefore: after(-dayMs),
      notAfter: after(20 * yearMs),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
      ],
    },
    webcrypto,
  )
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: subject('TSA'),
      issuer: root.subject,
      serialNumber: '07',
      ...{
        publicKey: keys.publicKey,
        signingKey: rootKeys.privateKey,
        signingAlgorithm: algorithm,
      },
      notBefore: after(-dayMs),
      notAfter,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.timeStamping], true),
      ],
    },
    webcrypto,
  )
  return {
    stamps: {
      privateKey: KeyObject.from(keys.privateKey),
      certificates: [new X509Certificate(Buffer.from(certificate.rawData))],
      policy: '1.3.6.1.4.1.9999.1',
    },
    root: root.toString('pem'),
    rootCertificate: Buffer.from(root.rawData),
    async crlAt(time, revoked = []) {
      const crl = await x509.X509CrlGenerator.create(
        {
          issuer: root.subject,
          thisUpdate: time,
          nextUpdate: new Date(+time + dayMs),
          entries: revoked.map((serialNumber) => ({ serialNumber, revocationDate: time })),
          signingAlgorithm: algorithm,
          signingKey: rootKeys.privateKey,
        },
        webcrypto,
      )
      return Buffer.from(crl.rawData)
    },
  }
}
