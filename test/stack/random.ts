import { randomInt } from 'node:crypto'

export interface Random {
  /** In [0, 1). */
  next(): number
  /** An integer from `min` up to and with `max`. */
  int(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
  shuffled<T>(all: readonly T[]): T[]
}

/** From the environment or drawn; printed, so that a failure can be repeated with `SEED=…`. */
export function drawSeed(suite: string): number {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  process.stderr.write(`${suite}: SEED=${seed}\n`)
  return seed
}

/** Mulberry32 (public domain, Tommy Ettinger): small, and good enough to choose test cases. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (choices) => {
      const choice = choices[int(0, choices.length - 1)]
      if (choice === undefined) throw new Error('nothing to pick from')
      return choice
    },
    shuffled(all) {
      const drawn = all.map((one) => ({ one, rank: next() }))
      return drawn.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
    },
  }
}
