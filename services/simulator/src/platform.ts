/**
 * What the platform's HTTP doors share: its memory, its judge, how it behaves now, and the chance
 * that draws faults.
 */

import { createHash, randomUUID } from 'node:crypto'
import { defaultBehaviour, mergeBehaviour, type Behaviour } from './behaviour'
import { seededDice, type Dice } from './dice'
import { drawFault, type FaultName } from './faults'
import type { Judge } from './judge'
import { scriptOf } from './magic-buyers'
import { peekBuyerIce } from './peek-buyer'
import { platformLimits } from './platform-limits'
import type { Submission, SubmissionStore } from './store'

/** The behaviour of the moment, and the dice that go with its seed. */
export class Mood {
  private behaviour: Behaviour = { ...defaultBehaviour }
  private readonly chance: Dice
  private dice: Dice

  constructor(chance: Dice) {
    this.chance = chance
    this.dice = chance
  }

  current = (): Behaviour => this.behaviour

  /** Merges `patch`; naming a seed starts its sequence again. Throws `BehaviourRefused`. */
  change(patch: unknown): Behaviour {
    this.behaviour = mergeBehaviour(this.behaviour, patch)
    if ((patch as Partial<Behaviour>).seed !== undefined) {
      const { seed } = this.behaviour
      this.dice = seed === null ? this.chance : seededDice(seed)
    }
    return this.behaviour
  }

  draw(request: 'submission' | 'read'): FaultName | undefined {
    return drawFault(this.behaviour, this.dice, request)
  }
}

export interface Platform {
  store: SubmissionStore
  judge: Judge
  mood: Mood
  now: () => Date
}

/** A document as it came through the door. */
export interface Delivery {
  idempotencyKey: string
  document: Buffer
}

export type Receipt =
  | { kind: 'kept'; submission: Submission }
  | { kind: 'conflict'; submission: Submission }
  | { kind: 'busy' }

/**
 * Keeps a submission, on disk before this returns; the same key and document again is the same
 * submission.
 */
export function receiveSubmission(platform: Platform, delivery: Delivery): Receipt {
  const { store, judge, now } = platform
  const documentSha256 = createHash('sha256').update(delivery.document).digest('hex')
  const earlier = store.findByKey(delivery.idempotencyKey, now())
  if (!earlier && store.undecidedCount() >= platformLimits.undecidedCount) return { kind: 'busy' }
  const submission =
    earlier ??
    store.keep({ ...delivery, documentSha256, submissionId: randomUUID(), receivedAt: now() })
  judge.wake()
  return {
    kind: submission.documentSha256 === documentSha256 ? 'kept' : 'conflict',
    submission,
  }
}

/** The fault this delivery meets: what its buyer's script wants, else what the mood draws. */
export function chooseFault(platform: Platform, delivery: Delivery): FaultName | undefined {
  const script = scriptOf(peekBuyerIce(delivery.document))
  if (script?.does === 'fail-always') return script.fault
  if (script?.does === 'fail-first' && platform.store.isFirstAttempt(delivery.idempotencyKey)) {
    return script.fault
  }
  return platform.mood.draw('submission')
}
