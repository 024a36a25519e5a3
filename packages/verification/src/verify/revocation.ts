import type { X509Certificate } from 'node:crypto'
import { isTrusted } from '../certificate-chain'
import type { Evidence, ReadEvidence } from '../evidence'
import { parseCertificate } from '../parse-certificate'
import { verifyCrl } from '../revocation/crl'
import { verifyOcspResponse } from '../revocation/ocsp'
import {
  isAfterEnd,
  isNeverRevoked,
  RevocationError,
  type Statement,
} from '../revocation/statement'
import { DerError } from '../der'
import { createCheck, type Check } from './signature'
import type { CheckedStamp } from './time-stamps'

export interface RevocationInput {
  evidence: readonly ReadEvidence[]
  stamps: readonly CheckedStamp[]
  /** First the signer's own. */
  certificates: readonly X509Certificate[]
  /** Trusted authorities of signers; `undefined`: not checked. */
  signers: readonly X509Certificate[] | undefined
  timeStamps: readonly X509Certificate[] | undefined
  now: Date
}

type RevocationData = Extract<Evidence, { crls: readonly Buffer[] }>

/** Absent when the document holds no revocation data. */
export function checkRevocation(input: RevocationInput): Check | undefined {
  const evidence = input.evidence.map((one) => one.evidence)
  if (!evidence.some(isRevocationData)) return undefined
  try {
    const known = listKnownIssuers(input)
    const statements = evidence.flatMap((one, index) =>
      isRevocationData(one) ? readStatements(one, listIssuers(known, index, input)) : [],
    )
    return createCheck('revocation', findProblem(statements, input))
  } catch (error) {
    if (error instanceof RevocationError) return createCheck('revocation', error.message)
    if (!(error instanceof DerError)) throw error
    return createCheck('revocation', `revocation data cannot be read: ${error.message}`)
  }
}

function isRevocationData(evidence: Evidence): evidence is RevocationData {
  return 'crls' in evidence
}

function readStatements(data: RevocationData, issuers: X509Certificate[]): Statement[] {
  return [
    ...data.crls.map((crl) => verifyCrl(crl, issuers)),
    ...data.ocspResponses.map((response) => verifyOcspResponse(response, issuers)),
  ]
}

function listKnownIssuers(input: RevocationInput): X509Certificate[] {
  const { evidence, stamps, certificates } = input
  const values = evidence.flatMap(({ evidence: one }) =>
    one.kind === 'certificates' ? readCertificateValues(one.certificates) : [],
  )
  const links = stamps.flatMap(({ proof }) => proof?.links ?? [])
  const known = [...listAnchors(input), ...values, ...links, ...certificates].filter(({ ca }) => ca)
  rejectForged(values, known)
  return known
}

const listAnchors = ({ signers, timeStamps }: RevocationInput) => [
  ...(signers ?? []),
  ...(timeStamps ?? []),
]

/** Of the data at `index`: trusted at the stamp before, which it is about, or at the next. */
function listIssuers(known: X509Certificate[], index: number, input: RevocationInput) {
  const { evidence, stamps, signers, timeStamps, now } = input
  // An issuer may be of either kind.
  if (!signers || !timeStamps) return known
  const next = evidence.slice(0, index).filter(({ evidence: one }) => 'token' in one).length
  const before = stamps[next - 1]?.proof?.time
  const times = [...(before ? [before] : []), stamps[next]?.proof?.time ?? now]
  const trusted = listAnchors(input)
  return known.filter((one) =>
    times.some((at) => isTrusted({ certificates: [one, ...known], trusted, at })),
  )
}

/** No digest covers the certificates of a document without an archive time stamp. */
function rejectForged(values: readonly X509Certificate[], known: readonly X509Certificate[]): void {
  const isSigned = (one: X509Certificate) =>
    known.some((issuer) => one.checkIssued(issuer) && one.verify(issuer.publicKey))
  if (values.every(isSigned)) return
  throw new RevocationError('a certificate in the evidence was not issued by another')
}

function findProblem(statements: readonly Statement[], input: RevocationInput): string | undefined {
  const { stamps, certificates, signers, timeStamps } = input
  const [signer] = certificates
  const proofs = stamps.flatMap(({ proof }) => proof ?? [])
  // Only a trusted authority proves when something existed.
  const provenAt = (index: number) => timeStamps && proofs[index]?.time
  for (const [index, { certificate, time }] of proofs.entries()) {
    // Newer data about the last archive stamp can be found while its certificate is valid.
    const isLast = index > 0 && index === stamps.length - 1
    const needed = { since: isLast ? undefined : time, provenAt: provenAt(index + 1) }
    const problem = findCertificateProblem(statements, certificate, needed)
    if (problem !== undefined) return `${problem} the certificate of the time stamp`
  }
  const [first] = proofs
  if (!signer || !first) return 'no time stamp proves since when it is needed'
  const isAnchor = signers?.some(({ raw }) => raw.equals(signer.raw))
  if (isAnchor || isNeverRevoked(signer)) return undefined
  const needed = { since: first.time, provenAt: provenAt(0) }
  const problem = findCertificateProblem(statements, signer, needed)
  return problem === undefined ? undefined : `${problem} the certificate of the signature`
}

interface Needed {
  /** Older data does not cover the time until then (EN 319 102-1, freshness); absent: any does. */
  since: Date | undefined
  /** What is proven to be older than the revocation stays valid (its section 5.5). */
  provenAt: Date | undefined
}

function findCertificateProblem(
  statements: readonly Statement[],
  certificate: X509Certificate,
  { since, provenAt }: Needed,
): string | undefined {
  const about = statements.flatMap((statement) => {
    const status = statement.about(certificate)
    return status === undefined ? [] : [{ status, statement }]
  })
  for (const { status } of about) {
    if (status === 'good' || (provenAt && status.revokedAt > provenAt)) continue
    return `revoked on ${status.revokedAt.toISOString()}:`
  }
  if (!since) return undefined
  const recent = about.filter(({ statement }) => statement.thisUpdate >= since)
  const isProof = ({ status, statement }: (typeof about)[number]) =>
    status !== 'good' || !isAfterEnd(statement, certificate)
  if (recent.some(isProof)) return undefined
  if (recent.length > 0) return 'all revocation data is from after the end of'
  return about.length === 0
    ? 'there is no revocation data about'
    : `there is no revocation data newer than ${since.toISOString()} about`
}

function readCertificateValues(values: readonly Buffer[]): X509Certificate[] {
  return values.map((value) => {
    try {
      return parseCertificate(value)
    } catch (cause) {
      throw new RevocationError('a certificate in the evidence cannot be read', { cause })
    }
  })
}
