/** Sends the request that is due and returns when to deliver again. It never sleeps. */

import type { InvoiceEvent } from '@einvoicing/events/event'
import { toLogIds, inSpan } from '@einvoicing/runtime/trace'
import type { Duplicate, Processing, Received, Decision } from './authority/authority'
import type { InvoiceRef } from './authority/breaker'
import type { Deps } from './deps'
import {
  toFailedEvent,
  toTransmittedEvent,
  toDecisionEvent,
  type Cause,
  type Failure,
} from './events'
import { toTimeoutFailure, timeLeftMs, toRejectionFailure, failedSubmissionsMax } from './give-up'
import { answers, countErrorCode, latency, outcomes, retries } from './metrics'
import { nextStep, type Obstacle, type Question, type Reply } from './next-step'
import { computeHoldWaitMs, pollWaitMs, retryWaitMs } from './pace'
import type { Undecided } from './undecided'

type Signed = InvoiceEvent<'invoice.signed'>

interface Work extends Cause {
  signed: Signed
  undecided: Undecided
}

/** Then `find` comes before `submit`. */
interface MaybeSent {
  kind: 'maybe-sent'
}

/** Milliseconds until the next delivery; `undefined` when nothing is left to do. */
export async function clearInvoice(deps: Deps, work: Work): Promise<number | undefined> {
  const held = deps.guard.findHold(work.signed.organizationid)
  if (held) return retryOrGiveUp(deps, work, held)

  let question = firstQuestion(work.undecided)
  let duplicate: Duplicate | undefined
  for (;;) {
    const reply = await sendQuestion(deps, work, question)
    if (!reply) return undefined
    if (reply.kind === 'maybe-sent') {
      question = 'find'
      continue
    }
    if (reply.kind === 'received' || reply.kind === 'processing') return watch(deps, work, reply)
    if (reply.kind === 'accepted' || reply.kind === 'rejected') return conclude(deps, work, reply)
    const step = nextStep(question, reply)
    if (step === 'retry') return retryOrGiveUp(deps, work, reply)
    // Its "unknown" explains less than the duplicate before.
    if (step === 'fail')
      return retrySubmission(deps, work, (reply.kind === 'unknown' && duplicate) || reply)
    if (reply.kind === 'duplicate') duplicate = reply
    question = step
  }
}

function firstQuestion({ submission, maybeSent }: Undecided): Question {
  if (submission?.id) return 'read'
  return maybeSent ? 'find' : 'submit'
}

async function sendQuestion(
  deps: Deps,
  work: Work,
  question: Question,
): Promise<Reply | MaybeSent | undefined> {
  const answer = await (question === 'submit' ? submit(deps, work) : query(deps, work, question))
  if (!answer || answer.kind === 'maybe-sent' || answer.kind === 'unreadable') return answer
  const reply = checkDocument(answer, work.signed)
  answers.inc({ question, answer: reply.kind })
  const { submission } = work.undecided
  if (submission && reply.kind === 'unknown') submission.id = undefined
  // A second receipt is no progress: the platform forgot the first.
  if (reply.kind === 'processing' || (reply.kind === 'received' && !submission)) {
    work.undecided.troubledSinceMs = undefined
    deps.troubles.recovered(work.signed.subject)
  }
  return reply
}

/** A decision counts only for the bytes that were signed. */
export function checkDocument(reply: Reply, { data }: Cause['signed']): Reply {
  if (!('documentSha256' in reply)) return reply
  const { submissionId, documentSha256 = data.xmlSha256 } = reply
  return documentSha256 === data.xmlSha256 ? reply : { kind: 'foreign', submissionId }
}

function query(
  { authority, guard }: Deps,
  { signed, undecided: { submission }, span }: Work,
  question: Exclude<Question, 'submit'>,
): Promise<Reply> {
  return guard.call(toInvoiceRef(signed), () =>
    question === 'read' && submission?.id
      ? authority.read(submission.id, span)
      : authority.find(signed.subject, span),
  )
}

export function toInvoiceRef({ organizationid, subject }: InvoiceEvent): InvoiceRef {
  return { organizationId: organizationid, invoiceId: subject }
}

function submit(deps: Deps, work: Work): Promise<Reply | MaybeSent | undefined> {
  const attributes = { 'einvoicing.invoice.id': work.signed.subject }
  return inSpan(work.span, { name: 'SUBMITTED', attributes }, (span) =>
    submitXml(deps, Object.assign({}, work, { span })),
  )
}

/** Never sent before, or `unknown` to the platform in this delivery. */
async function submitXml(
  { authority, guard, readSignedXml }: Deps,
  { signed, undecided, span }: Work,
): Promise<Reply | MaybeSent | undefined> {
  const wasQueried = undecided.maybeSent
  const original = await readSignedXml({ signed, span })
  if (!original) return undefined
  undecided.maybeSent = true
  if (!wasQueried && !original.neverSent) return { kind: 'maybe-sent' }
  if ('kind' in original) return original
  return guard.call(toInvoiceRef(signed), () =>
    authority.submit(signed.subject, original.xml, span),
  )
}

async function watch(
  deps: Deps,
  work: Work,
  seen: Received | Processing,
): Promise<number | undefined> {
  await publishTransmission(deps, work, seen)
  const { config, polls, now, random } = deps
  const nowMs = now().getTime()
  const leftMs = timeLeftMs(work.undecided, config.giveUpAfterMs)
  if (leftMs <= 0)
    return giveUp(deps, work, toTimeoutFailure(seen, work.undecided, config.giveUpAfterMs))
  const { submission, firstSeenAtMs } = work.undecided
  const ageMs = nowMs - Math.max(submission?.receivedAtMs ?? 0, firstSeenAtMs)
  const waitMs = pollWaitMs(config.pace, ageMs, random())
  return Math.min(polls.take(nowMs, waitMs, random()), leftMs)
}

async function conclude(deps: Deps, work: Work, decision: Decision): Promise<undefined> {
  await publishTransmission(deps, work, decision)
  const { bus, polls, now, log } = deps
  polls.countDecision(now().getTime())
  await bus.publish(toDecisionEvent(work, decision, now()))
  const { kind: outcome, submissionId } = decision
  outcomes.inc({ outcome })
  if (decision.kind === 'rejected') countErrorCode('rejected', decision.errorCode)
  latency.observe({ outcome }, (now().getTime() - work.undecided.startedAtMs) / 1000)
  deps.troubles.recovered(work.signed.subject)
  log.info(Object.assign(toLogFields(work), { submissionId, outcome }), 'decision received')
}

/** First, and once: a later delivery finds it published. */
async function publishTransmission(
  { bus, now }: Deps,
  work: Work,
  seen: Received | Processing | Decision,
): Promise<void> {
  const { undecided } = work
  const { submissionId, raw } = seen
  undecided.submission ??= { id: submissionId, receivedAtMs: receivedAtMs(seen, undecided, now()) }
  undecided.submission.id ??= submissionId
  if (undecided.isTransmissionPublished) return
  const submittedAt =
    seen.receivedAt ?? ('decidedAt' in seen ? seen.decidedAt : now().toISOString())
  await bus.publish(toTransmittedEvent(work, { submissionId, submittedAt, raw }, now()))
  undecided.isTransmissionPublished = true
}

function receivedAtMs(
  { kind, receivedAt }: Received | Processing | Decision,
  { startedAtMs }: Undecided,
  now: Date,
): number {
  if (kind === 'received') return now.getTime()
  return Math.min(receivedAt ? Date.parse(receivedAt) : startedAtMs, now.getTime())
}

async function retrySubmission(
  deps: Deps,
  work: Work,
  reply: Obstacle,
): Promise<number | undefined> {
  work.undecided.failedSubmissions += 1
  if (work.undecided.failedSubmissions >= failedSubmissionsMax)
    return giveUp(deps, work, toRejectionFailure(reply))
  return retryOrGiveUp(deps, work, reply)
}

async function retryOrGiveUp(deps: Deps, work: Work, reply: Obstacle): Promise<number | undefined> {
  const { config, now, random } = deps
  const { undecided } = work
  const nowMs = now().getTime()
  const leftMs = timeLeftMs(undecided, config.giveUpAfterMs)
  if (leftMs <= 0)
    return giveUp(deps, work, toTimeoutFailure(reply, undecided, config.giveUpAfterMs))
  // A held invoice has not failed: its waits do not grow.
  if (reply.kind !== 'held') undecided.troubledSinceMs ??= nowMs
  const hasFailed = undecided.troubledSinceMs !== undefined
  const waitMs =
    reply.kind === 'held'
      ? computeHoldWaitMs(config.pace, { againInMs: reply.againInMs, hasFailed }, random())
      : retryWaitMs(config.pace, nowMs - (undecided.troubledSinceMs ?? nowMs), random())
  retries.inc({ answer: reply.kind })
  logRetry(deps, work, { reply, waitMs })
  return Math.min(waitMs, leftMs)
}

function logRetry(
  { troubles, log }: Deps,
  work: Work,
  { reply, waitMs }: { reply: Obstacle; waitMs: number },
): void {
  const fields = Object.assign(toLogFields(work), {
    answer: toLoggedAnswer(reply),
    againInMs: Math.round(waitMs),
  })
  if (reply.kind === 'held') log.debug(fields, 'request skipped: circuit open or throttled')
  else troubles.failed(work.signed.subject, reply.kind, fields)
}

function toLogFields({ signed, span }: Work): object {
  const { subject: invoiceId, organizationid: organizationId, requestid: requestId } = signed
  return Object.assign(toLogIds({ requestId, span }), { invoiceId, organizationId })
}

/** Without the body, which is never logged. */
function toLoggedAnswer(reply: Obstacle): object {
  const { kind } = reply
  if ('status' in reply) return { kind, status: reply.status }
  return 'reason' in reply ? { kind, reason: reply.reason } : { kind }
}

async function giveUp(deps: Deps, work: Work, failure: Failure): Promise<undefined> {
  const { bus, now, troubles, log } = deps
  await bus.publish(toFailedEvent(work, failure, now()))
  outcomes.inc({ outcome: 'failed' })
  countErrorCode('failed', failure.errorCode)
  troubles.recovered(work.signed.subject)
  log.error({ ...toLogFields(work), ...failure }, 'gave up on clearance')
}
