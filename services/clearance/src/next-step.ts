/** Only the platform's "unknown", or `neverSent` of the store, leads to `submit`. */

import type { Answer, Processing, Received, Decision } from './authority/authority'
import type { Held } from './authority/guard'
import type { Unreadable } from './signed-xml'

/** `read` by the platform's id, `find` by ours: `confirm` after `read`, `settle` after a 409. */
export type Question = 'read' | 'confirm' | 'find' | 'submit' | 'settle'

/** The platform holds another document under our id: its decision is not about this invoice. */
export interface Foreign {
  kind: 'foreign'
  submissionId: string
}

export type Reply = Answer | Held | Foreign | Unreadable

export type Obstacle = Exclude<Reply, Received | Processing | Decision>

/** `retry` after a technical failure; `fail`: the platform rejects this submission. */
export type Step = 'confirm' | 'submit' | 'settle' | 'retry' | 'fail'

const trouble = {
  unclear: 'retry',
  throttled: 'retry',
  misconfigured: 'retry',
  held: 'retry',
  unreadable: 'retry',
  foreign: 'fail',
} as const

const table: Record<Question, Record<Obstacle['kind'], Step>> = {
  read: { ...trouble, unknown: 'confirm', duplicate: 'retry', refused: 'retry' },
  confirm: { ...trouble, unknown: 'retry', duplicate: 'retry', refused: 'retry' },
  find: { ...trouble, unknown: 'submit', duplicate: 'retry', refused: 'retry' },
  submit: { ...trouble, unknown: 'retry', duplicate: 'settle', refused: 'fail' },
  settle: { ...trouble, unknown: 'fail', duplicate: 'retry', refused: 'retry' },
}

export function nextStep(question: Question, { kind }: Obstacle): Step {
  return table[question][kind]
}
