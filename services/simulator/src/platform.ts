import { createHash, randomUUID } from 'node:crypto'
import { defaultBehaviour, mergeBehaviour, type Behaviour } from './behaviour'
import { createSeededRandom, type RandomSource } from './seeded-random'
import { drawFailure, type FailureName } from './injected-failures'
import { drawTsaFailure, type TsaFailure } from './time-stamps/failures'
import type { DecisionLoop } from './decision-loop'
import { findScript } from './magic-buyers'
import { findBuyerIce } from './find-buyer-ice'
import { platformLimits } from './limits'
import type { Submission, SubmissionStore } from './submission-store'

export class CurrentBehaviour {
  private behaviour: Behaviour = { ...defaultBehaviour }
  private readonly unseeded: RandomSource
  private random: RandomSource

  constructor(unseeded: RandomSource) {
    this.unseeded = unseeded
    this.random = unseeded
  }

  current = (): Behaviour => this.behaviour

  /** Setting a seed starts its sequence again. */
  change(patch: unknown): Behaviour {
    this.behaviour = mergeBehaviour(this.behaviour, patch)
    if ((patch as Partial<Behaviour>).seed !== undefined) {
      const { seed } = this.behaviour
      this.random = seed === null ? this.unseeded : createSeededRandom(seed)
    }
    return this.behaviour
  }

  drawFailure(request: 'submission' | 'read'): FailureName | undefined {
    return drawFailure(this.behaviour, this.random, request)
  }

  drawTsaFailure(): TsaFailure | undefined {
    return drawTsaFailure(this.behaviour, this.random)
  }
}

export interface Platform {
  store: SubmissionStore
  decisions: DecisionLoop
  behaviour: CurrentBehaviour
  now: () => Date
}

export interface Delivery {
  idempotencyKey: string
  document: Buffer
}

export type Receipt =
  | { kind: 'stored'; submission: Submission }
  | { kind: 'conflict'; submission: Submission }
  | { kind: 'busy' }

/** On disk before it returns; the same key and document again is the same submission. */
export function receiveSubmission(platform: Platform, delivery: Delivery): Receipt {
  const { store, decisions, now } = platform
  const documentSha256 = createHash('sha256').update(delivery.document).digest('hex')
  const earlier = store.findByKey(delivery.idempotencyKey, now())
  if (!earlier && store.undecidedCount() >= platformLimits.undecidedCount) return { kind: 'busy' }
  const submission =
    earlier ??
    store.add({ ...delivery, documentSha256, submissionId: randomUUID(), receivedAt: now() })
  decisions.wake()
  return {
    kind: submission.documentSha256 === documentSha256 ? 'stored' : 'conflict',
    submission,
  }
}

/** The buyer's script comes before the behaviour's rates. */
export function chooseFailure(platform: Platform, delivery: Delivery): FailureName | undefined {
  const script = findScript(findBuyerIce(delivery.document))
  if (script?.does === 'fail-always') return script.failure
  if (script?.does === 'fail-first' && platform.store.isFirstAttempt(delivery.idempotencyKey)) {
    return script.failure
  }
  return platform.behaviour.drawFailure('submission')
}
