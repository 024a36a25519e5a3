/**
 * Spreads polls over time: polling more often does not make a slow platform decide faster. There
 * are few more polls than decisions; a single invoice is polled without delay.
 */

export interface PollSlotsOptions {
  /** When nothing is decided. */
  perSecondMin: number
  /** The longest delay of a poll. */
  delayMaxMs: number
}

const slotMs = 100
const horizonSlots = 600
/** More than one: the rate can grow by half until the platform is the limit. */
const pollsPerDecision = 1.5
/** Decisions are counted over about this time. */
const memoryMs = 3_000

interface Slot {
  index: number
  polls: number
}

export class PollSlots {
  private readonly options: PollSlotsOptions
  private readonly slots: Slot[]
  private decisions = 0
  private countedAtMs = 0

  constructor(options: PollSlotsOptions) {
    this.options = options
    this.slots = Array.from({ length: horizonSlots }, () => ({ index: -1, polls: 0 }))
  }

  /** The wait, or longer when too many polls are due then. `random` in [0, 1). */
  take(nowMs: number, waitMs: number, random: number): number {
    const { perSecondMin, delayMaxMs } = this.options
    const first = Math.floor((nowMs + waitMs) / slotMs)
    if (first - Math.floor(nowMs / slotMs) >= horizonSlots / 2) return waitMs
    const perSecond = perSecondMin + pollsPerDecision * this.decisionsPerSecond(nowMs)
    const pollsMax = Math.max(1, Math.floor((perSecond * slotMs) / 1_000))
    const last = first + Math.min(Math.ceil(delayMaxMs / slotMs), horizonSlots / 2)
    for (let index = first; index < last; index += 1) {
      const slot = this.slotAt(index)
      if (slot.polls >= pollsMax) continue
      slot.polls += 1
      return index === first ? waitMs : (index + random) * slotMs - nowMs
    }
    return waitMs + random * delayMaxMs
  }

  countDecision(nowMs: number): void {
    this.decisions = this.remaining(nowMs) + 1
    this.countedAtMs = nowMs
  }

  private decisionsPerSecond(nowMs: number): number {
    return (this.remaining(nowMs) * 1_000) / memoryMs
  }

  private remaining(nowMs: number): number {
    return this.decisions * Math.exp(Math.min(0, this.countedAtMs - nowMs) / memoryMs)
  }

  private slotAt(index: number): Slot {
    const place = index % horizonSlots
    const slot = this.slots[place]
    if (slot?.index === index) return slot
    return (this.slots[place] = { index, polls: 0 })
  }
}
