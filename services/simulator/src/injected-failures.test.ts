import { defaultBehaviour, type RateName } from './behaviour'
import { createSeededRandom } from './seeded-random'
import { drawFailure, failures, type FailureName } from './injected-failures'

const always = (name: RateName) => ({ ...defaultBehaviour, [name]: 1 })
const names = Object.keys(failures) as FailureName[]

describe('drawFailure', () => {
  it('never injects a failure, and draws nothing', () => {
    const random = jest.fn(() => 0)
    expect(drawFailure(defaultBehaviour, random, 'submission')).toBeUndefined()
    expect(random).not.toHaveBeenCalled()
  })

  it.each(names)('injects %s at rate 1', (name) => {
    expect(drawFailure(always(`${name}Rate`), () => 0.999_999, 'submission')).toBe(name)
  })

  it('injects into reads all but failures of submissions', () => {
    const struck = names.filter(
      (name) => drawFailure(always(`${name}Rate`), () => 0, 'read') === name,
    )
    expect(names.filter((name) => !struck.includes(name))).toEqual([
      'tooLarge',
      'alreadyReported',
      'duplicate',
    ])
  })

  it('injects below the rate and not at it', () => {
    const behaviour = { ...defaultBehaviour, cutRate: 0.25 }
    expect(drawFailure(behaviour, () => 0.2499, 'read')).toBe('cut')
    expect(drawFailure(behaviour, () => 0.25, 'read')).toBeUndefined()
  })

  it('draws every kind of server error for errorRate', () => {
    const random = createSeededRandom(1)
    const drawn = Array.from({ length: 100 }, () =>
      drawFailure(always('errorRate'), random, 'read'),
    )
    expect(new Set(drawn)).toEqual(
      new Set(['internalError', 'badGateway', 'unavailable', 'gatewayTimeout']),
    )
  })
})

describe('seededDice', () => {
  it('is repeatable for a seed, differs between seeds, and is uniform enough', () => {
    const thousand = (seed: number): number[] => {
      const random = createSeededRandom(seed)
      return Array.from({ length: 1_000 }, random)
    }
    expect(thousand(7)).toEqual(thousand(7))
    expect(thousand(7)).not.toEqual(thousand(8))
    const below = thousand(7).filter((draw) => draw < 0.3).length
    expect(below).toBeGreaterThan(250)
    expect(below).toBeLessThan(350)
    expect(thousand(0).every((draw) => draw >= 0 && draw < 1)).toBe(true)
  })
})
