import { createHash, type X509Certificate } from 'node:crypto'
import { isTrusted, isValidAt } from '../certificate-chain'
import { toOneLine } from '../parse-certificate'
import {
  archiveTimeStampInput,
  signatureTimeStampInput,
  type Covered,
  type Evidence,
  type ReadEvidence,
} from '../evidence'
import { checkToken, TimeStampError } from '../time-stamps/check-token'
import { DerError } from '../der'
import { parseToken } from '../time-stamps/token'
import { createCheck, type Check } from './signature'

export interface TimeStamp {
  kind: 'SIGNATURE' | 'ARCHIVE'
  /** `null` when the token is unreadable. */
  time: string | null
  /** Subject of the authority's certificate. */
  authority: string | null
  /** `null` without trusted authorities. */
  trusted: boolean | null
  ok: boolean
}

export interface CheckedStamp {
  check: Check
  shown: TimeStamp
  /** Absent when the token proves nothing. */
  proof: { time: Date; certificate: X509Certificate; links: X509Certificate[] } | undefined
}

export interface StampInput {
  covered: Covered
  evidence: readonly ReadEvidence[]
  /** `undefined`: issuers are not checked. */
  trusted: readonly X509Certificate[] | undefined
  signingTime: Date | undefined
  now: Date
}

export function checkTimeStamps(input: StampInput): CheckedStamp[] {
  const { covered, evidence, signingTime } = input
  const checked: CheckedStamp[] = []
  let notBefore = signingTime
  evidence.forEach(({ evidence: one }, index) => {
    if (!isStamp(one)) return
    const content =
      one.kind === 'signatureTimeStamp'
        ? signatureTimeStampInput(covered)
        : archiveTimeStampInput(covered, evidence.slice(0, index))
    const stamp = checkOne(one, content, { ...input, notBefore })
    notBefore = stamp.proof?.time ?? notBefore
    checked.push(stamp)
  })
  return checked.map((stamp, index) => checkAge(stamp, checked[index + 1]?.proof?.time, input))
}

type Stamp = Extract<Evidence, { token: Buffer }>

const isStamp = (evidence: Evidence): evidence is Stamp =>
  evidence.kind === 'signatureTimeStamp' || evidence.kind === 'archiveTimeStamp'

interface OneInput extends StampInput {
  notBefore: Date | undefined
}

function checkOne({ kind, token }: Stamp, content: Buffer, input: OneInput): CheckedStamp {
  const { trusted, now, notBefore } = input
  const shown = describe(kind, token)
  try {
    const { hash } = parseToken(token).info
    const digest = createHash(hash).update(content).digest()
    const stamped = { hash, digest, now, ...(notBefore && { notBefore }) }
    const { info, certificate } = checkToken(token, { ...stamped, isTrusted: () => true })
    // No signature covers the other certificates of a token.
    const proven = { ...shown, authority: toOneLine(certificate.subject) }
    const links = parseToken(token).certificates.filter(({ raw }) => !raw.equals(certificate.raw))
    const chain = [certificate, ...links] as const
    const isKnown = trusted && isTrusted({ certificates: chain, trusted, at: info.time })
    if (isKnown === false) {
      const problem = 'no trusted authority issued the certificate of the time stamp'
      return fail({ ...proven, trusted: false }, problem)
    }
    const ok = { ...proven, trusted: isKnown ?? null, ok: true }
    const proof = { time: info.time, certificate, links }
    return { check: createCheck('timeStamp', undefined), shown: ok, proof }
  } catch (error) {
    if (error instanceof TimeStampError) return fail(shown, error.message)
    if (!(error instanceof DerError)) throw error
    return fail(shown, `the time stamp cannot be read: ${error.message}`)
  }
}

function fail(shown: TimeStamp, problem: string): CheckedStamp {
  return {
    check: createCheck('timeStamp', problem),
    shown: { ...shown, ok: false },
    proof: undefined,
  }
}

function describe(kind: Stamp['kind'], token: Buffer): TimeStamp {
  const name = kind === 'signatureTimeStamp' ? 'SIGNATURE' : 'ARCHIVE'
  const unknown = { kind: name, time: null, authority: null, trusted: null, ok: false } as const
  try {
    return { ...unknown, time: parseToken(token).info.time.toISOString() }
  } catch {
    return unknown
  }
}

/** After its certificate's end, a stamp proves something only if a later stamp covers it. */
function checkAge(stamp: CheckedStamp, next: Date | undefined, { now }: StampInput): CheckedStamp {
  const { proof, shown } = stamp
  if (!proof || isValidAt(proof.certificate, next ?? now)) return stamp
  const ended = new Date(proof.certificate.validTo).toISOString()
  return fail(
    shown,
    `the certificate of the time stamp ended on ${ended}, and no later time stamp proves that it is older`,
  )
}
