import { Counter, Gauge, Histogram } from 'prom-client'
import { metrics } from '@einvoicing/runtime/metrics'

export const answers = new Counter({
  name: 'einvoicing_clearance_answers_total',
  help: 'Answers of the platform, by kind of request; held: request skipped',
  labelNames: ['question', 'answer'],
  registers: [metrics],
})

export const outcomes = new Counter({
  name: 'einvoicing_clearance_outcomes_total',
  help: 'Invoices whose clearance ended, by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
})

// From the start, so that the first of each is an increase.
for (const outcome of ['accepted', 'rejected', 'failed']) outcomes.inc({ outcome }, 0)

export const latency = new Histogram({
  name: 'einvoicing_clearance_latency_seconds',
  help: 'Seconds from the start of clearance to the decision',
  labelNames: ['outcome'],
  buckets: [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 86_400],
  registers: [metrics],
})

export const retries = new Counter({
  name: 'einvoicing_clearance_retries_total',
  help: 'Event deliveries that made no progress and will be repeated, by the answer that stopped them',
  labelNames: ['answer'],
  registers: [metrics],
})

export const breakerState = new Gauge({
  name: 'einvoicing_clearance_breaker_state',
  help: '1 for the state the circuit breaker is in',
  labelNames: ['state'],
  registers: [metrics],
})

export const giveUpAfter = new Gauge({
  name: 'einvoicing_clearance_give_up_after_seconds',
  help: 'CLEARANCE_GIVE_UP_AFTER_SECONDS: the age at which an undecided invoice becomes FAILED',
  registers: [metrics],
})

const errorCodes = new Counter({
  name: 'einvoicing_clearance_error_codes_total',
  help: 'Invoices rejected or failed, by error code; `other` if the platform uses too many codes',
  labelNames: ['outcome', 'code'],
  registers: [metrics],
})

// The platform chooses its codes: a label must not allow any number of series.
const codesMax = 60
const codesSeen = new Set<string>()

export function countErrorCode(outcome: 'rejected' | 'failed', code: string): void {
  if (codesSeen.size < codesMax && /^[\w.-]{1,64}$/.test(code)) codesSeen.add(code)
  errorCodes.inc({ outcome, code: codesSeen.has(code) ? code : 'other' })
}
