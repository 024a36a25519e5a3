import { Duplex } from 'node:stream'
import { RejectionPace } from './rejection-pace'

const waitMaxMs = 1_000
const sendMs = 1
/** 20 ms are saved, and 2 while these are sent. */
const atOnce = 22
let nowMs: number
let pace: RejectionPace
let sentAt: { name: number; ms: number }[]

beforeEach(() => {
  jest.useFakeTimers()
  nowMs = 0
  sentAt = []
  pace = new RejectionPace({ waitMaxMs, now: () => nowMs })
})
afterEach(() => jest.useRealTimers())

function reject(name: number, connection = new Duplex(), weight = 1): void {
  const send = () => {
    sentAt.push({ name, ms: nowMs })
    nowMs += sendMs
  }
  pace.add(connection, send, weight)
}

function pass(ms: number): void {
  for (const end = nowMs + ms; nowMs < end;) {
    nowMs += 5
    jest.advanceTimersByTime(5)
  }
}

const namesSent = () => sentAt.map(({ name }) => name)
const count = (length: number) => Array.from({ length }, (_, index) => index)

test('a few are sent at once', () => {
  count(atOnce).forEach((name) => reject(name))
  expect(namesSent()).toEqual(count(atOnce))
})

test('of more, so many are sent as take a twentieth of the time, in their order', () => {
  count(60).forEach((name) => reject(name))
  expect(sentAt).toHaveLength(atOnce)
  pass(400)
  expect(sentAt.length).toBeGreaterThanOrEqual(38)
  expect(sentAt.length).toBeLessThanOrEqual(44)
  expect(namesSent()).toEqual(count(sentAt.length))
})

test('of those whose request takes five times as long, a fifth as many', () => {
  count(30).forEach((name) => reject(name, new Duplex(), 5))
  const few = sentAt.length
  expect(few).toBe(5)
  pass(400)
  expect(sentAt.length - few).toBeGreaterThanOrEqual(3)
  expect(sentAt.length - few).toBeLessThanOrEqual(5)
  expect(namesSent()).toEqual(count(sentAt.length))
})

test('none waits longer than the longest wait', () => {
  count(500).forEach((name) => reject(name))
  pass(waitMaxMs - 50)
  expect(sentAt.length).toBeLessThan(80)
  pass(60)
  expect(namesSent()).toEqual(count(500))
})

test('after a quiet time a few are sent at once again', () => {
  count(60).forEach((name) => reject(name))
  pass(waitMaxMs + 50)
  expect(sentAt).toHaveLength(60)
  pass(400)
  count(atOnce).forEach((name) => reject(60 + name))
  expect(sentAt).toHaveLength(60 + atOnce)
})

test('of one connection one waits, whatever it sends ahead', () => {
  count(atOnce).forEach((name) => reject(name))
  const connection = new Duplex()
  reject(atOnce, connection)
  expect(sentAt).toHaveLength(atOnce)
  reject(atOnce + 1, connection)
  expect(namesSent()).toEqual([...count(atOnce), atOnce + 1])
})

test('so many wait at once; those after them are sent at once', () => {
  count(atOnce).forEach((name) => reject(name))
  count(10_000).forEach(() => reject(atOnce))
  expect(sentAt).toHaveLength(atOnce)
  reject(atOnce + 1)
  expect(namesSent().at(-1)).toBe(atOnce + 1)
  expect(sentAt).toHaveLength(atOnce + 1)
})
