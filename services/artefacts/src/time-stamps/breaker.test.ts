import { Breaker } from './breaker'

let nowMs = 0
const breaker = new Breaker(() => nowMs)
const refused = () => new Error('refused')
const fail = () => breaker.run(() => Promise.reject(new Error('failed')), refused)
const succeed = () => breaker.run(async () => 'done', refused)

test('opens after five failures in a row, tries one call after each pause, closes by a success', async () => {
  for (let failure = 0; failure < 4; failure += 1) await expect(fail()).rejects.toThrow('failed')
  expect(await succeed()).toBe('done')
  for (let failure = 0; failure < 5; failure += 1) await expect(fail()).rejects.toThrow('failed')
  await expect(succeed()).rejects.toThrow('refused')
  nowMs = 5_000
  let end: ((error: Error) => void) | undefined
  const probe = breaker.run(() => new Promise((_, reject) => (end = reject)), refused)
  await expect(succeed()).rejects.toThrow('refused')
  end?.(new Error('failed'))
  await expect(probe).rejects.toThrow('failed')
  nowMs = 14_999
  await expect(succeed()).rejects.toThrow('refused')
  nowMs = 15_000
  expect(await succeed()).toBe('done')
  expect(await succeed()).toBe('done')
})
