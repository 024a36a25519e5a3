/**
 * What the platform's HTTP doors share: its memory, its judge, how it behaves now, and the chance
 * that draws faults.
 */

import { createHash, randomUUID } from 'node:crypto'
import { defaultBehaviour, mergeBehaviour, type Behaviour } from './behaviour'
import { createSeededRandom, type RandomSource } from './seeded-random'
import { drawFailure, type FailureName } from './injected-failures'
import type { DecisionLoop } from './decision-loop'
import { findScript } from './magic-buyers'
import { findBuyerIce } from './find-buyer-ice'
import { platformLimits } from './limits'
import type { Submission, SubmissionStore } from './submission-store'

/** The behaviour of the moment, and the dice that go with its seed. */
export class CurrentBehaviour {
  private behaviour: Behaviour = { ...defaultBehaviour }
  private readonly chance: RandomSource
  private dice: RandomSource

  constructor(chance: RandomSource) {
    this.chance = chance
    this.dice = chance
  }

  current = (): Behaviour => this.behaviour

  /** Merges `patch`; naming a seed starts its sequence again. Throws `BehaviourRefused`. */
  change(patch: unknown): Behaviour {
    this.behaviour = mergeBehaviour(this.behaviour, patch)
    if ((patch as Partial<Behaviour>).seed !== undefined) {
      const { seed } = this.behaviour
      this.dice = seed === null ? this.chance : createSeededRandom(seed)
    }
    return this.behaviour
  }

  drawFailure(request: 'submission' | 'read'): FailureName | undefined {
    return drawFailure(this.behaviour, this.dice, request)
  }
}

export interface Platform {
  store: SubmissionStore
  decisions: DecisionLoop
  behaviour: CurrentBehaviour
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
  const { store, decisions: judge, now } = platform
  const documentSha256 = createHash('sha256').update(delivery.document).digest('hex')
  const earlier = store.findByKey(delivery.idempotencyKey, now())
  if (!earlier && store.undecidedCount() >= platformLimits.undecidedCount) return { kind: 'busy' }
  const submission =
    earlier ??
    store.add({ ...delivery, documentSha256, submissionId: randomUUID(), receivedAt: now() })
  judge.wake()
  return {
    kind: submission.documentSha256 === documentSha256 ? 'kept' : 'conflict',
    submission,
  }
}

/** The fault this delivery meets: what its buyer's script wants, else what the mood draws. */
export function chooseFailure(platform: Platform, delivery: Delivery): FailureName | undefined {
  const script = findScript(findBuyerIce(delivery.document))
  if (script?.does === 'fail-always') return script.fault
  if (script?.does === 'fail-first' && platform.store.isFirstAttempt(delivery.idempotencyKey)) {
    return script.fault
  }
  return platform.behaviour.drawFailure('submission')
}
