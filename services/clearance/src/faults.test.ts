/**
 * Random failures from a seed: each invoice is submitted exactly once and gets one decision.
 * `CLEARANCE_TEST_SEED=…` repeats a run.
 */

import { randomInt } from 'node:crypto'
import { randomFrom } from '@einvoicing/servers/random'
import type { InvoiceEvent } from '@einvoicing/events/event'
import { startClearance } from './testdata/clearance-at-work'
import { answerWith, cutAfter, cutBefore, html, type Failure } from './testdata/scripted-platform'
import { signedEvent } from './testdata/signed'

const seed = Number(process.env['CLEARANCE_TEST_SEED'] ?? randomInt(2 ** 31))
const invoiceCount = 150
const failureRate = 0.4

const both = ({ answer }: Failure): Failure[] => [
  { strikes: 'before', answer },
  { strikes: 'after', answer },
]
const problems: Failure[] = [
  cutBefore,
  cutAfter,
  // Rarer than the rest: each one costs a whole deadline.
  { strikes: 'after', answer: 'silence' },
  ...both({ strikes: 'before', answer: html }),
  ...both(answerWith(500)),
  ...both(answerWith(502)),
  ...both(answerWith(503, {}, { 'retry-after': '0' })),
  ...both(answerWith(504)),
  ...both(answerWith(202, { submissionId: 7 })),
  answerWith(401),
  answerWith(429, {}, { 'retry-after': '0' }),
  { strikes: 'after', answer: answerWith(409, { code: 'ALREADY_REPORTED' }).answer },
  { strikes: 'after', answer: answerWith(422, { code: 'DUPLICATE' }).answer },
]

it(`every invoice is submitted once and gets one decision (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  const draw = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const { platform, bus, events, until, close } = await startClearance({
    random,
    config: { requestDeadlineMs: 300, breaker: { failingInvoicesMax: 5, openMs: 5 } },
  })
  let submissions = 0
  platform.failWith = ({ kind }) => {
    if (kind === 'submit') submissions += 1
    return random() < failureRate ? draw(problems) : undefined
  }
  platform.decide = ({ invoiceId, reads }) => {
    if (reads < 3) return { status: 'PROCESSING' }
    const status = Number(invoiceId) % 5 === 0 ? 'REJECTED' : 'ACCEPTED'
    return { status, decidedAt: '2026-03-04T05:06:07.890Z' }
  }

  const invoiceIds = Array.from({ length: invoiceCount }, (_, n) => String(n))
  for (const id of invoiceIds) {
    await bus.publish(signedEvent(id))
    // As the sweeper does, at any time.
    if (random() < 0.3) await bus.publish({ ...signedEvent(draw(invoiceIds)), id: `swept-${id}` })
  }
  await until(() => decided(events).size === invoiceCount)
  await close()

  expect([...platform.submissions.keys()].sort()).toEqual([...invoiceIds].sort())
  for (const [invoiceId, decisions] of decided(events)) {
    const expected = Number(invoiceId) % 5 === 0 ? 'clearance.rejected' : 'clearance.accepted'
    expect({ invoiceId, decisions: [...decisions] }).toEqual({ invoiceId, decisions: [expected] })
    expect(firstReported(events, invoiceId)).toBe('clearance.transmitted')
  }
  expect(events.some(({ type }) => type === 'clearance.failed')).toBe(false)
  // The failures did happen: more was tried than was stored.
  expect(submissions).toBeGreaterThan(invoiceCount)
})

/** Distinct decision events of each invoice: an event published twice is one event. */
function decided(events: readonly InvoiceEvent[]): Map<string, Set<string>> {
  const decisions = new Map<string, Set<string>>()
  for (const { subject, type } of events) {
    if (type === 'clearance.transmitted') continue
    decisions.set(subject, (decisions.get(subject) ?? new Set()).add(type))
  }
  return decisions
}

function firstReported(events: readonly InvoiceEvent[], invoiceId: string): string | undefined {
  return events.find(({ subject }) => subject === invoiceId)?.type
}
