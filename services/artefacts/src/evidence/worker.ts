/** On a thread: reading a large document would delay other clients. */

import { createHash } from 'node:crypto'
import { archiveTimeStampInput, readEvidence } from '@einvoicing/verification/evidence'
import { parseCertificate } from '@einvoicing/verification/parse-certificate'
import { readSignedParts, type SignatureParts } from '@einvoicing/verification/signature-form'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'
import {
  parseCertificates,
  verifyDocument,
  type DocumentIdentity,
} from '@einvoicing/verification/verify-document'
import { verifyBeforeStamp, verifyInvoice } from '@einvoicing/verification/verify/report'

export interface ReadDocument {
  /** The signer's certificate, then its issuers; in DER. */
  signers: Uint8Array[]
  /** In order; the first is over the signature. */
  tokens: Uint8Array[]
  certificates: Uint8Array[]
  revocationData: { crls: Uint8Array[]; ocspResponses: Uint8Array[] }
}

export function readOnThread(xml: Uint8Array): ReadDocument {
  const parts = readSignedParts(xml)
  const evidence = readEvidence(parts).map((one) => one.evidence)
  const data = evidence.flatMap((one) => ('crls' in one ? [one] : []))
  return {
    signers: parseCertificates(parts.signature.keyInfo).map(({ raw }) => new Uint8Array(raw)),
    tokens: evidence.flatMap((one) => ('token' in one ? [new Uint8Array(one.token)] : [])),
    certificates: evidence.flatMap((one) =>
      one.kind === 'certificates' ? one.certificates.map((bytes) => new Uint8Array(bytes)) : [],
    ),
    revocationData: {
      crls: data.flatMap(({ crls }) => crls.map((bytes) => new Uint8Array(bytes))),
      ocspResponses: data.flatMap((one) => one.ocspResponses.map((bytes) => new Uint8Array(bytes))),
    },
  }
}

export function readSignatureOnThread(xml: Uint8Array): SignatureParts {
  return readSignedParts(xml).signature
}

export interface OriginalTask {
  xml: Uint8Array
  trusted: Uint8Array[] | undefined
}

export function verifyOriginalOnThread({ xml, trusted }: OriginalTask): DocumentIdentity {
  const { number, date, issuerIce } = verifyDocument(xml, trusted?.map(parseCertificate))
  return { number, date, issuerIce }
}

export interface DigestTask {
  xml: Uint8Array
  hash: HashName
}

export function digestOnThread({ xml, hash }: DigestTask): Uint8Array {
  const parts = readSignedParts(xml)
  const input = archiveTimeStampInput(parts, readEvidence(parts))
  return new Uint8Array(createHash(hash).update(input).digest())
}

export interface VerifyTask {
  xml: Uint8Array
  /** In DER; `undefined`: not checked. */
  signers: Uint8Array[] | undefined
  timeStamps: Uint8Array[]
  now: Date
  isStampedNext: boolean
}

export interface Verified {
  level: string | null
  problem: string | undefined
}

export function verifyOnThread({ xml, ...task }: VerifyTask): Verified {
  const { signers, timeStamps, now, isStampedNext } = task
  const read = (list: Uint8Array[]) => list.map(parseCertificate)
  const trust = { signers: signers && read(signers), timeStamps: read(timeStamps) }
  const { level, checks } = (isStampedNext ? verifyBeforeStamp : verifyInvoice)(xml, trust, now)
  const [problem] = checks.flatMap(({ name, fault: problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )
  return { level, problem }
}
