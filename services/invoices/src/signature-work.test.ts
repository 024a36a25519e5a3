import { pauseAfter } from './signature-work'

it('pauses 5, 10, 30 and 60 seconds, then five minutes more or less', () => {
  const middle = () => 0.5
  expect([0, 1, 2, 3, 4, 40].map((failed) => pauseAfter(failed, middle) / 1_000)).toEqual([
    5, 10, 30, 60, 300, 300,
  ])
  expect([pauseAfter(9, () => 0), pauseAfter(9, () => 1)].map(Math.round)).toEqual([
    240_000, 360_000,
  ])
})
