import { defaultBehaviour, type RateName } from './behaviour'
import { seededDice } from './dice'
import { drawFault, faults, type FaultName } from './faults'

const always = (name: RateName) => ({ ...defaultBehaviour, [name]: 1 })
const names = Object.keys(faults) as FaultName[]

describe('drawFault', () => {
  it('never strikes, and draws nothing, when no rate is set', () => {
    const dice = jest.fn(() => 0)
    expect(drawFault(defaultBehaviour, dice, 'submission')).toBeUndefined()
    expect(dice).not.toHaveBeenCalled()
  })

  it.each(names)('strikes a submission with %s at rate 1', (name) => {
    expect(drawFault(always(`${name}Rate`), () => 0.999_999, 'submission')).toBe(name)
  })

  it('strikes reads with all but what only a submission can meet', () => {
    const struck = names.filter(
      (name) => drawFault(always(`${name}Rate`), () => 0, 'read') === name,
    )
    expect(names.filter((name) => !struck.includes(name))).toEqual([
      'tooLarge',
      'alreadyReported',
      'duplicate',
    ])
  })

  it('strikes below the rate and not at it', () => {
    const behaviour = { ...defaultBehaviour, cutRate: 0.25 }
    expect(drawFault(behaviour, () => 0.2499, 'read')).toBe('cut')
    expect(drawFault(behaviour, () => 0.25, 'read')).toBeUndefined()
  })

  it('draws every kind of server error for errorRate', () => {
    const dice = seededDice(1)
    const drawn = Array.from({ length: 100 }, () => drawFault(always('errorRate'), dice, 'read'))
    expect(new Set(drawn)).toEqual(
      new Set(['internalError', 'badGateway', 'unavailable', 'gatewayTimeout']),
    )
  })
})

describe('seededDice', () => {
  it('repeats itself for a seed, differs between seeds, and is even enough for rates', () => {
    const thousand = (seed: number): number[] => {
      const dice = seededDice(seed)
      return Array.from({ length: 1_000 }, dice)
    }
    expect(thousand(7)).toEqual(thousand(7))
    expect(thousand(7)).not.toEqual(thousand(8))
    const below = thousand(7).filter((draw) => draw < 0.3).length
    expect(below).toBeGreaterThan(250)
    expect(below).toBeLessThan(350)
    expect(thousand(0).every((draw) => draw >= 0 && draw < 1)).toBe(true)
  })
})
