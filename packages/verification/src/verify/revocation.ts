import type { X509Certificate } from 'node:crypto'
import { isTrusted } from '../certificate-chain'
import type { Evidence, ReadEvidence } from '../evidence'
import { parseCertificate } from '../parse-certificate'
import { verifyCrl } from '../revocation/crl'
import { verifyOcspResponse } from '../revocation/ocsp'
import { isNeverRevoked, RevocationError, type Statement } from '../revocation/statement'
import { DerError } from '../time-stamps/der'
import { createCheck, type Check } from './signature'
import type { CheckedStamp } from './time-stamps'

export interface RevocationInput {
  evidence: readonly ReadEvidence[]
  stamps: readonly CheckedStamp[]
  /** First the signer's own. */
  certificates: readonly X509Certificate[]
  /** Trusted authorities of signers; `undefined`: not checked. */
  signers: readonly X509Certificate[] | undefined
  /** Likewise of time stamps. */
  timeStamps: readonly X509Certificate[] | undefined
}

type RevocationData = Extract<Evidence, { crls: readonly Buffer[] }>

/** Absent when the document holds no revocation data. */
export function checkRevocation(input: RevocationInput): Check | undefined {
  const data = input.evidence
    .map(({ evidence }) => evidence)
    .filter((one): one is RevocationData => 'crls' in one)
  if (data.length === 0) return undefined
  try {
    const statements = data.flatMap((one) => readStatements(one, listIssuers(input)))
    return createCheck('revocation', findProblem(statements, input))
  } catch (error) {
    if (error instanceof RevocationError) return createCheck('revocation', error.message)
    if (!(error instanceof DerError)) throw error
    return createCheck('revocation', `revocation data cannot be read: ${error.message}`)
  }
}

function readStatements(data: RevocationData, issuers: X509Certificate[]): Statement[] {
  return [
    ...data.crls.map((crl) => verifyCrl(crl, issuers)),
    ...data.ocspResponses.map((response) => verifyOcspResponse(response, issuers)),
  ]
}

function listIssuers(input: RevocationInput) {
  const { evidence, stamps, certificates, signers, timeStamps } = input
  const values = evidence.flatMap(({ evidence: one }) =>
    one.kind === 'certificates' ? readCertificateValues(one.certificates) : [],
  )
  const links = stamps.flatMap(({ proof }) => proof?.links ?? [])
  const anchors = [...(signers ?? []), ...(timeStamps ?? [])]
  const known = [...anchors, ...values, ...links, ...certificates].filter(({ ca }) => ca)
  const [at = new Date()] = stamps.flatMap(({ proof }) => proof?.time ?? [])
  rejectForged(values, known)
  // An issuer may be of either kind.
  if (!signers || !timeStamps) return known
  return known.filter((one) => isTrusted({ certificates: [one, ...known], trusted: anchors, at }))
}

/** No digest covers the certificates of a document without an archive time stamp. */
function rejectForged(values: readonly X509Certificate[], known: readonly X509Certificate[]): void {
  const isSigned = (one: X509Certificate) =>
    known.some((issuer) => one.checkIssued(issuer) && one.verify(issuer.publicKey))
  if (values.every(isSigned)) return
  throw new RevocationError('a certificate in the evidence was not issued by another')
}

function findProblem(statements: readonly Statement[], input: RevocationInput): string | undefined {
  const { stamps, certificates, signers } = input
  const [signer] = certificates
  // The last stamp is checked while its certificate is valid.
  const proofs = stamps.slice(0, Math.max(1, stamps.length - 1)).flatMap(({ proof }) => proof ?? [])
  for (const { certificate, time } of proofs) {
    const problem = findCertificateProblem(statements, certificate, time)
    if (problem !== undefined) return `${problem} the certificate of the time stamp`
  }
  const [first] = proofs
  if (!signer || !first) return 'no time stamp proves since when it is needed'
  const isAnchor = signers?.some(({ raw }) => raw.equals(signer.raw))
  if (isAnchor || isNeverRevoked(signer)) return undefined
  const problem = findCertificateProblem(statements, signer, first.time)
  return problem === undefined ? undefined : `${problem} the certificate of the signature`
}

/** Older data does not cover the time until then (EN 319 102-1, freshness). */
function findCertificateProblem(
  statements: readonly Statement[],
  certificate: X509Certificate,
  since: Date,
): string | undefined {
  const about = statements.flatMap((statement) => {
    const status = statement.about(certificate)
    return status === undefined ? [] : [{ status, thisUpdate: statement.thisUpdate }]
  })
  for (const { status } of about) {
    if (status !== 'good') return `revoked on ${status.revokedAt.toISOString()}:`
  }
  if (about.some(({ thisUpdate }) => thisUpdate >= since)) return undefined
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
