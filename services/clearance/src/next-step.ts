/**
 * What follows when the platform does not say that it has the submission: one table of questions
 * and answers, complete by type, walked cell by cell in its test.
 *
 * Nothing is sent without having asked: only the platform's own "unknown", or the store's word that
 * the invoice was never sent (clear-invoice.ts), leads to `submit`.
 */

import type { Answer, Processing, Received, Decision } from './authority/authority'
import type { Held } from './authority/guard'

/**
 * `read` by the platform's id, `find` by ours, `submit` the XML; `settle` is `find` after the
 * platform called a submission a duplicate.
 */
export type Question = 'read' | 'find' | 'submit' | 'settle'

/**
 * The platform holds another document under our invoice's id: its decision is not about this
 * invoice.
 */
export interface Foreign {
  kind: 'foreign'
  submissionId: string
}

/** What came of a question. */
export type Reply = Answer | Held | Foreign

/** Whatever keeps a submission from being seen at the platform. */
export type Obstacle = Exclude<Reply, Received | Processing | Decision>

/**
 * Another question; or `retry`: later, a technical failure; or `refuse`: the platform does not want
 * this submission.
 */
export type Step = 'find' | 'submit' | 'settle' | 'retry' | 'refuse'

const trouble = {
  unclear: 'retry',
  throttled: 'retry',
  misconfigured: 'retry',
  held: 'retry',
  foreign: 'refuse',
} as const

const table: Record<Question, Record<Obstacle['kind'], Step>> = {
  read: { ...trouble, unknown: 'find', duplicate: 'retry', refused: 'retry' },
  find: { ...trouble, unknown: 'submit', duplicate: 'retry', refused: 'retry' },
  submit: { ...trouble, unknown: 'retry', duplicate: 'settle', refused: 'refuse' },
  settle: { ...trouble, unknown: 'refuse', duplicate: 'retry', refused: 'retry' },
}

export function nextStep(question: Question, { kind }: Obstacle): Step {
  return table[question][kind]
}
