/** On a thread: reading a large document would delay other clients. */

import { createHash } from 'node:crypto'
import { archiveTimeStampInput, readEvidence } from '@einvoicing/verification/evidence'
import { parseCertificate } from '@einvoicing/verification/parse-certificate'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'
import { verifyInvoice } from '@einvoicing/verification/verify/report'

export interface ReadDocument {
  /** The signer's certificate, then its issuers; in DER. */
  signers: Uint8Array[]
  /** In order; the first is over the signature. */
  tokens: Uint8Array[]
  /** In DER. */
  certificates: Uint8Array[]
}

export function readOnThread(xml: Uint8Array): ReadDocument {
  const parts = readSignedParts(xml)
  const evidence = readEvidence(parts).map((one) => one.evidence)
  const signers = parts.signature.keyInfo.match(/(?<=>)[A-Za-z0-9+/=]+(?=<)/g) ?? []
  return {
    signers: signers.map((text) => new Uint8Array(Buffer.from(text, 'base64'))),
    tokens: evidence.flatMap((one) => ('token' in one ? [new Uint8Array(one.token)] : [])),
    certificates: evidence.flatMap((one) =>
      one.kind === 'certificates' ? one.certificates.map((bytes) => new Uint8Array(bytes)) : [],
    ),
  }
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
}

export interface Verified {
  level: string | null
  problem: string | undefined
}

export function verifyOnThread({ xml, signers, timeStamps, now }: VerifyTask): Verified {
  const read = (list: Uint8Array[]) => list.map(parseCertificate)
  const trust = { signers: signers && read(signers), timeStamps: read(timeStamps) }
  const { level, checks } = verifyInvoice(xml, trust, now)
  const [problem] = checks.flatMap(({ name, fault: problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )
  return { level, problem }
}
