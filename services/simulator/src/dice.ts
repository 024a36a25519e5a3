/** Draws numbers from 0 up to 1: by chance, or the same sequence again for the same seed. */

export type Dice = () => number

/** Mulberry32: small, and good enough to decide which request fails. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
