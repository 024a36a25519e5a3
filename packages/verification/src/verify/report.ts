import type { X509Certificate } from 'node:crypto'
import type { SignatureLevelName } from '@einvoicing/domain/signature-level'
import type { Document, Element } from '@xmldom/xmldom'
import { algorithmEnds, findEnd, listHashes } from '../algorithm-ends'
import { findPath } from '../certificate-chain'
import type { ReadEvidence } from '../evidence'
import { DocumentError } from '../signature-form'
import { checkAmounts } from './amounts'
import { findFormError } from './form'
import { readSummary, type InvoiceSummary } from './invoice'
import { checkRevocation } from './revocation'
import {
  checkDocument,
  checkNames,
  checkSignatureValue,
  checkSignedProperties,
  createCheck,
  findSignedProperties,
  type Check,
  type CheckName,
} from './signature'
import {
  checkCertificate,
  checkTrust,
  describeSigner,
  readCertificates,
  type Signer,
} from './signer'
import { checkTimeStamps, type CheckedStamp, type TimeStamp } from './time-stamps'
import { readCovered, readUnsigned } from './unsigned'
import { ds, findAll, readText, readXml, readXmlText, Unreadable, xades } from './xml'

export interface Report {
  /** Every check passes and a trusted authority issued the signer's certificate. */
  valid: boolean
  /** Every check passes, for any signer. */
  intact: boolean
  checks: Check[]
  notChecked: CheckName[]
  /** `null` for a signature below all levels. */
  level: SignatureLevelName | null
  signer: (Signer & { trusted: boolean | null }) | null
  /** Stated by the signer; ISO 8601 with its zone. */
  signingTime: string | null
  timeStamps: TimeStamp[]
  provenAt: string | null
  /** Until the first end of a certificate or an algorithm; `null` when a check fails. */
  standsUntil: string | null
  /** `null` when the digest differs. */
  invoice: InvoiceSummary | null
  /** In base64. */
  signatureValue: string | null
}

export interface Trust {
  /** Authorities of signers; `undefined`: not checked. */
  signers: readonly X509Certificate[] | undefined
  timeStamps: readonly X509Certificate[] | undefined
}

export function verifyInvoice(bytes: Uint8Array, trust: Trust, now = new Date()): Report {
  return verify(bytes, { trust, now, isStampedNext: false })
}

/** Of a document whose last evidence an archive time stamp is yet to cover. */
export function verifyBeforeStamp(bytes: Uint8Array, trust: Trust, now: Date): Report {
  return verify(bytes, { trust, now, isStampedNext: true })
}

function verify(bytes: Uint8Array, context: Context): Report {
  let document: Document
  try {
    document = readXml(bytes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return createFormReport(error.message)
  }
  const signatures = findAll(document, ds('Signature'))
  const [signature] = signatures
  if (!signature) return createFormReport('it has no signature')
  if (signatures.length > 1) {
    return createFormReport(`it has ${signatures.length} signatures instead of one`)
  }
  const problem = findFormError(document, signature)
  if (problem !== undefined) return createFormReport(problem)
  return createReport(document, signature, context)
}

interface Context {
  trust: Trust
  now: Date
  isStampedNext: boolean
}

function createReport(document: Document, signature: Element, context: Context): Report {
  const { trust, now } = context
  const certificates = readCertificates(signature)
  const [signer] = certificates
  const signingTime = readSigningTime(signature)
  const at = signingTime === null ? undefined : new Date(signingTime)
  const { check: documentCheck, text } = checkDocument(document, signature)
  const added = readAdded(signature, text, { ...context, signingTime: at })
  const { stamps } = added
  const provenAt = stamps.find(({ shown }) => shown.ok && shown.trusted === true)?.proof?.time
  const authority =
    trust.signers && checkTrust({ certificates, trusted: trust.signers, at: provenAt ?? at })
  const revocation = checkRevocation({ ...added, ...trust, certificates, now })
  const root = documentCheck.ok ? readXmlText(text).documentElement : null
  const checks = [
    createCheck('form', undefined),
    documentCheck,
    checkSignedProperties(document, signature, signer),
    checkSignatureValue(signature, signer),
    checkCertificate({ signer, signingTime: at, provenAt, now }),
    authority,
    ...added.checks,
    revocation,
    root ? checkAmounts(root) : undefined,
  ].filter((check) => check !== undefined)
  const level = findLevel(signature, added)
  return {
    ...conclude(checks, authority),
    level,
    signer: signer ? { ...describeSigner(signer), trusted: authority?.ok ?? null } : null,
    signingTime,
    timeStamps: stamps.map(({ shown }) => shown),
    provenAt: provenAt?.toISOString() ?? null,
    standsUntil:
      at && checks.every(({ ok }) => ok)
        ? findStandsUntil({ level, certificates, at: provenAt ?? at }, added, trust)
        : null,
    invoice: root ? readSummary(root) : null,
    signatureValue: readText(findAll(signature, ds('SignatureValue'))[0]).replace(/\s/g, ''),
  }
}

export function addCheck(report: Report, check: Check): Report {
  const checks = [...report.checks, check]
  const isTrustedSigner = report.signer?.trusted === true
  const { valid, intact, notChecked } = conclude(checks, { ok: isTrustedSigner })
  const standsUntil = intact ? report.standsUntil : null
  return { ...report, checks, notChecked, intact, valid, standsUntil }
}

function conclude(checks: Check[], authority: { ok: boolean } | undefined) {
  const intact = checks.every(({ ok }) => ok)
  const made = new Set(checks.map(({ name }) => name))
  const notChecked = checkNames.filter((name) => !made.has(name))
  return { valid: intact && authority?.ok === true, intact, checks, notChecked }
}

export function createFormReport(problem: string): Report {
  return {
    ...conclude([createCheck('form', problem)], undefined),
    level: null,
    signer: null,
    signingTime: null,
    timeStamps: [],
    provenAt: null,
    standsUntil: null,
    invoice: null,
    signatureValue: null,
  }
}

interface Added {
  evidence: ReadEvidence[]
  stamps: CheckedStamp[]
  checks: Check[]
}

function readAdded(
  signature: Element,
  text: string,
  { trust, signingTime, now, isStampedNext }: Context & { signingTime: Date | undefined },
): Added {
  try {
    const evidence = readUnsigned(signature, isStampedNext)
    const covered = readCovered(text, signature)
    const stamps = checkTimeStamps({
      covered,
      evidence,
      trusted: trust.timeStamps,
      signingTime,
      now,
    })
    return { evidence, stamps, checks: stamps.map(({ check }) => check) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { evidence: [], stamps: [], checks: [createCheck('timeStamp', error.message)] }
  }
}

function readSigningTime(signature: Element): string | null {
  const properties = findSignedProperties(signature)
  const [element] = properties ? findAll(properties, xades('SigningTime')) : []
  const time = readText(element)
  return Number.isNaN(Date.parse(time)) ? null : time
}

/** ETSI EN 319 132-1, section 6: each level includes the one before. */
function findLevel(signature: Element, { evidence }: Added): SignatureLevelName | null {
  const holds = (local: string) => findAll(signature, xades(local)).length > 0
  const isBasic = ['SigningTime', 'SigningCertificateV2', 'DataObjectFormat'].every(holds)
  if (!isBasic) return null
  const kinds = new Set(evidence.map((one) => one.evidence.kind))
  if (!kinds.has('signatureTimeStamp')) return 'XAdES-B-B'
  if (!kinds.has('revocationData')) return 'XAdES-B-T'
  return kinds.has('archiveTimeStamp') ? 'XAdES-B-LTA' : 'XAdES-B-LT'
}

interface Ending {
  level: SignatureLevelName | null
  certificates: readonly X509Certificate[]
  at: Date
}

/**
 * Without evidence the signature's own path ends it: only its authority can report a revocation.
 * With evidence, the path of the last time stamp does.
 */
function findStandsUntil(
  { level, certificates, at }: Ending,
  { stamps, evidence }: Added,
  { signers, timeStamps }: Trust,
): string | null {
  const isLong = level === 'XAdES-B-LT' || level === 'XAdES-B-LTA'
  const proof = isLong ? stamps.at(-1)?.proof : undefined
  const [first, ...links] = proof ? [proof.certificate, ...proof.links] : certificates
  if (!first) return null
  const trusted = (proof ? timeStamps : signers) ?? []
  const found = findPath({ certificates: [first, ...links], trusted, at: proof?.time ?? at })
  const [, ...issuers] = found?.slice(0, -1) ?? []
  const tokens = evidence.flatMap(({ evidence: one }) => ('token' in one ? [one.token] : []))
  const token = proof && tokens.at(-1)
  const hashes = token ? listHashes(token) : ['sha256']
  return findEnd({ path: [first, ...issuers], hashes }, algorithmEnds).toISOString()
}
