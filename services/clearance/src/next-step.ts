/**
 * What follows from an answer: one table of questions and answers, complete by type, walked cell by cell in its test.
 *
 * Refuses to send without having asked: only the platform's own "unknown", or the very first delivery, leads to `submit`.
 */

import type { Answer } from './authority/authority'
import type { Held } from './authority/guard'

/**
 * `read` by the platform's id, `find` by ours, `submit` the XML; `settle` is `find` after the platform called a submission a
 * duplicate.
 */
export type Question = 'read' | 'find' | 'submit' | 'settle'

/**
 * Another question; `watch`: the platform has it, wait for its verdict; `conclude`: a verdict; `retry`: a technical failure;
 * `refuse`: the platform does not want this submission.
 */
export type Step = 'find' | 'submit' | 'settle' | 'watch' | 'conclude' | 'retry' | 'refuse'

type AnswerKind = (Answer | Held)['kind']

const trouble = {
  unclear: 'retry',
  throttled: 'retry',
  misconfigured: 'retry',
  held: 'retry',
} as const

const found = {
  received: 'watch',
  processing: 'watch',
  accepted: 'conclude',
  rejected: 'conclude',
} as const

export const table: Record<Question, Record<AnswerKind, Step>> = {
  read: { ...found, ...trouble, unknown: 'find', duplicate: 'retry', refused: 'retry' },
  find: { ...found, ...trouble, unknown: 'submit', duplicate: 'retry', refused: 'retry' },
  submit: { ...found, ...trouble, unknown: 'retry', duplicate: 'settle', refused: 'refuse' },
  settle: { ...found, ...trouble, unknown: 'refuse', duplicate: 'retry', refused: 'retry' },
}

export function nextStep(question: Question, { kind }: Answer | Held): Step {
  return table[question][kind]
}

export function isQuestion(step: Step): step is Question & Step {
  return step === 'find' || step === 'submit' || step === 'settle'
}
