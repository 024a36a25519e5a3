/** Events of one attempt have fixed ids, so that publishing one again makes no second event. */

import type { FailureCode } from '@einvoicing/domain/failure-codes'
import type { InvoiceEvent, EventData, EventType } from '@einvoicing/events/event'
import { toTraceparent, type Span } from '@einvoicing/runtime/trace'
import type { Accepted, Rejected, Decision } from './authority/authority'

type ClearanceEvent = Extract<EventType, `clearance.${string}`>

export interface Cause {
  signed: InvoiceEvent<'invoice.signed'>
  span?: Span | undefined
}

export interface Submitted {
  submissionId: string
  submittedAt: string
  raw: string
}

export function toTransmittedEvent(cause: Cause, submitted: Submitted, now: Date) {
  const { submissionId, submittedAt, raw } = submitted
  const data = { submissionId, submittedAt, answer: raw }
  return event(cause, { type: 'clearance.transmitted', data, now })
}

export function toDecisionEvent(cause: Cause, decision: Decision, now: Date) {
  return decision.kind === 'accepted'
    ? event(cause, { type: 'clearance.accepted', data: acceptedData(decision), now })
    : event(cause, { type: 'clearance.rejected', data: rejectedData(decision), now })
}

export interface Failure {
  errorCode: FailureCode
  errorMessage: string
}

export function toFailedEvent(cause: Cause, failure: Failure, now: Date) {
  const { clearanceStartedAt } = cause.signed.data
  const data = { ...failure, clearanceStartedAt }
  return event(cause, { type: 'clearance.failed', data, now })
}

function acceptedData(accepted: Accepted): EventData['clearance.accepted'] {
  const { submissionId, reference, qrCode, qrPayload, decidedAt, raw: answer } = accepted
  const { receivedAt: submittedAt } = accepted
  return { submissionId, reference, qrCode, qrPayload, decidedAt, answer, submittedAt }
}

function rejectedData(rejected: Rejected): EventData['clearance.rejected'] {
  const { submissionId, errorCode, errorMessage, decidedAt, raw: answer } = rejected
  const { receivedAt: submittedAt } = rejected
  return { submissionId, errorCode, errorMessage, decidedAt, answer, submittedAt }
}

function event<T extends ClearanceEvent>(
  { signed, span }: Cause,
  happened: { type: T; data: EventData[T]; now: Date },
): InvoiceEvent<T> {
  const { subject, organizationid, data, traceparent, requestid } = signed
  return {
    specversion: '1.0',
    id: `${subject}:${data.clearanceStartedAt}:${happened.type}`,
    source: 'clearance',
    type: happened.type,
    time: happened.now.toISOString(),
    subject,
    organizationid,
    traceparent: toTraceparent(span) ?? traceparent,
    requestid,
    data: happened.data,
  }
}
