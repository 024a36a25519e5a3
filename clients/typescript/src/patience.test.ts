import { EinvoicingError } from './errors'
import { pause, pauseBefore, readRetryAfter, withPatience } from './patience'

const temporary = (events = {}) => new EinvoicingError('CONNECTION_LOST', 'lost', events)

describe('Retry-After', () => {
  const now = Date.parse('2026-05-03T09:30:00Z')
  it.each([
    ['0', 0],
    ['12', 12],
    [' 7 ', 7],
    ['Sun, 03 May 2026 09:30:05 GMT', 5],
    ['Sun, 03 May 2026 09:29:00 GMT', 0],
    ['-1', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%p is %p seconds', (value, seconds) => {
    expect(readRetryAfter(value, now)).toBe(seconds)
  })
})

it('pauses grow, respect Retry-After, and are bounded', () => {
  for (let tries = 1; tries < 60; tries += 1) {
    const growing = Math.min(8_000, 200 * 2 ** (tries - 1))
    for (let draw = 0; draw < 20; draw += 1) {
      const ms = pauseBefore(tries)
      expect(ms).toBeGreaterThanOrEqual(growing / 2)
      expect(ms).toBeLessThanOrEqual(growing)
    }
  }
  for (let draw = 0; draw < 100; draw += 1) {
    expect(pauseBefore(1, 10)).toBeGreaterThanOrEqual(10_000)
    expect(pauseBefore(1, 10)).toBeLessThanOrEqual(10_500)
  }
})

it('pauses have jitter', () => {
  expect(new Set(Array.from({ length: 50 }, () => pauseBefore(3, 1))).size).toBeGreaterThan(40)
})

it('counts failures, but not 429', async () => {
  const attempts = 2
  const giveUpAt = Date.now() + 60_000
  const slowDown = new EinvoicingError('API_KEY_RATE_LIMITED', 'slow', { status: 429 })
  const answers = [slowDown, slowDown, temporary(), 'there']
  const next = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  expect(await withPatience({ attempts, giveUpAt }, next)).toBe('there')
  answers.push(temporary(), temporary(), 'there')
  await expect(withPatience({ attempts, giveUpAt }, next)).rejects.toThrow('lost')
  expect(answers).toEqual(['there'])
})

it('does not begin a pause that ends too late', async () => {
  const startedAt = Date.now()
  const next = async () => Promise.reject(temporary({ retryAfterSeconds: 60 }))
  const patience = { attempts: 9, giveUpAt: startedAt + 30_000 }
  await expect(withPatience(patience, next)).rejects.toThrow('lost')
  expect(Date.now() - startedAt).toBeLessThan(5_000)
})

it('reports what failed before the attempt that the end cut short', async () => {
  const giveUpAt = Date.now() + 600
  const cutShort = new EinvoicingError('TIMED_OUT', 'no response')
  const answers = [temporary()]
  const next = async () => {
    const answer = answers.shift()
    if (answer) throw answer
    await pause(giveUpAt - Date.now())
    throw cutShort
  }
  await expect(withPatience({ attempts: 9, giveUpAt }, next)).rejects.toThrow('lost')
  await expect(withPatience({ attempts: 9, giveUpAt }, next)).rejects.toBe(cutShort)
})

it('does not repeat permanent errors', async () => {
  let calls = 0
  const next = async () => {
    calls += 1
    throw new EinvoicingError('INVOICE_NOT_FOUND', 'none', { status: 404 })
  }
  await expect(withPatience({ attempts: 9, giveUpAt: Infinity }, next)).rejects.toThrow('none')
  expect(calls).toBe(1)
})

it('ends a pause at once when the signal does', async () => {
  const reason = new Error('enough')
  const stop = new AbortController()
  const waiting = pause(60_000, stop.signal)
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(pause(60_000, stop.signal)).rejects.toBe(reason)
})
