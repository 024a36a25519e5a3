/** Polls for a decision about an invoice that was given up. Sends nothing. */

import { toLogIds } from '@einvoicing/runtime/trace'
import type { Decision } from './authority/authority'
import { toInvoiceRef, checkDocument } from './clear-invoice'
import type { Deps } from './deps'
import { toDecisionEvent, type Cause } from './events'
import { answers, countErrorCode, outcomes } from './metrics'
import { computeHoldWaitMs } from './pace'

// Then it is polled again the next day.
const callsMax = 10
const dayMs = 86_400_000

type Polling = Pick<Deps, 'authority' | 'guard' | 'bus' | 'config' | 'now' | 'random' | 'log'>

/** Returns milliseconds until the next delivery; `undefined` when nothing is left to do. */
export function pollLateDecisions(deps: Polling): (cause: Cause) => Promise<number | undefined> {
  const { authority, guard, config, now, random } = deps
  const calls = new CallCounts()
  return async ({ signed, span }) => {
    const found = await guard.call(toInvoiceRef(signed), () => authority.find(signed.subject, span))
    const reply = checkDocument(found, signed)
    answers.inc({ question: 'find', answer: reply.kind })
    const { kind } = reply
    const isDecided = kind === 'accepted' || kind === 'rejected'
    if (isDecided) await publishDecision(deps, { signed, span }, reply)
    const isAnswered = isDecided || ['processing', 'unknown', 'foreign'].includes(kind)
    const count = kind === 'held' ? 0 : calls.add(signed.id)
    const isReplaced = now().getTime() - Date.parse(signed.time) >= dayMs
    if (isAnswered || count >= callsMax || isReplaced) {
      calls.forget(signed.id)
      return undefined
    }
    const holdMs =
      kind === 'held'
        ? computeHoldWaitMs(config.pace, { againInMs: reply.againInMs, hasFailed: true }, random())
        : 0
    // No client waits for it: while a platform is down for a day, it must not come often.
    return Math.max(holdMs, config.pace.retryMaxMs * (1 + random()))
  }
}

async function publishDecision(
  { bus, now, log }: Polling,
  { signed, span }: Cause,
  decision: Decision,
): Promise<void> {
  await bus.publish(toDecisionEvent({ signed, span }, decision, now()))
  outcomes.inc({ outcome: decision.kind })
  if (decision.kind === 'rejected') countErrorCode('rejected', decision.errorCode)
  const { subject: invoiceId, organizationid: organizationId, requestid: requestId } = signed
  log.info(
    { ...toLogIds({ requestId, span }), invoiceId, organizationId, outcome: decision.kind },
    'late decision for an invoice that had failed',
  )
}

const countedMax = 10_000

/** By event. Not the bus's own count: most deliveries only waited for a turn. */
class CallCounts {
  private readonly counts = new Map<string, number>()

  /** Returns the count with this call. */
  add(eventId: string): number {
    const count = (this.counts.get(eventId) ?? 0) + 1
    const [oldest] = this.counts.keys()
    const isFull = this.counts.size >= countedMax && !this.counts.has(eventId)
    if (isFull && oldest !== undefined) this.counts.delete(oldest)
    this.counts.set(eventId, count)
    return count
  }

  forget(eventId: string): void {
    this.counts.delete(eventId)
  }
}
