import { Remembered } from './remembered'

beforeEach(() => jest.useFakeTimers({ now: 100_000 }))
afterEach(() => jest.useRealTimers())

const span = { fromMs: 100_000, untilMs: 120_000 }

test('a value is available in its time, neither before nor after', () => {
  const remembered = new Remembered<string>(10)
  const findAt = (ms: number) => {
    remembered.add('a', 'value', span)
    jest.setSystemTime(ms)
    return remembered.find('a')
  }
  expect([99_999, 100_000, 119_999, 120_000].map(findAt)).toEqual([
    undefined,
    'value',
    'value',
    undefined,
  ])
})

test('the limit is reached, and one more removes the least recently used', () => {
  const remembered = new Remembered<number>(3)
  for (const at of [1, 2, 3]) remembered.add(String(at), at, span)
  expect(remembered.find('1')).toBe(1)
  remembered.add('3', 33, span)
  remembered.add('4', 4, span)
  expect(['1', '2', '3', '4'].map((name) => remembered.find(name))).toEqual([1, undefined, 33, 4])
})
