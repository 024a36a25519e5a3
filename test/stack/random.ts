import { randomInt } from 'node:crypto'
import { randomFrom } from '@einvoicing/servers/random'

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

export function seededRandom(seed: number): Random {
  const next = randomFrom(seed)
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
