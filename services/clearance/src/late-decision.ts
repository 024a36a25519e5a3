/** Polls for a decision about an invoice that was given up. Sends nothing. */

import type { InvoiceEvent } from '@einvoicing/events/event'
import { toLogIds, type Span } from '@einvoicing/runtime/trace'
import { toCaller, checkDocument } from './clear-invoice'
import type { Deps } from './deps'
import { toDecisionEvent } from './events'
import { answers, countErrorCode, outcomes } from './measures'
import { computeHoldWaitMs } from './pace'

// Then it is polled again the next day.
const attemptsMax = 10

export interface Question {
  failed: InvoiceEvent<'invoice.signed'>
  attempt: number
  span?: Span | undefined
}

export async function checkLateDecision(
  { authority, guard, bus, config, now, random, log }: Deps,
  { failed, attempt, span }: Question,
): Promise<number | undefined> {
  const found = await guard.call(toCaller(failed), () => authority.find(failed.subject, span))
  const reply = checkDocument(found, failed)
  answers.inc({ question: 'find', answer: reply.kind })
  if (reply.kind === 'accepted' || reply.kind === 'rejected') {
    await bus.publish(toDecisionEvent({ signed: failed, span }, reply, now()))
    outcomes.inc({ outcome: reply.kind })
    if (reply.kind === 'rejected') countErrorCode('rejected', reply.errorCode)
    const { subject: invoiceId, organizationid: organizationId, requestid: requestId } = failed
    log.info(
      { ...toLogIds({ requestId, span }), invoiceId, organizationId, outcome: reply.kind },
      'late decision for an invoice that had failed',
    )
    return undefined
  }
  const isAnswered = reply.kind === 'processing' || reply.kind === 'unknown'
  if (isAnswered || reply.kind === 'foreign' || attempt >= attemptsMax) return undefined
  return reply.kind === 'held'
    ? computeHoldWaitMs(config.pace, { againInMs: reply.againInMs, hasFailed: true }, random())
    : config.pace.retryMaxMs * (1 + random())
}
