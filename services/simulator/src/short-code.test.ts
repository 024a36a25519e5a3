import { generateKeyPairSync } from 'node:crypto'
import { createShortCode, readShortCode } from './short-code'

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

it.each([1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER])(
  'leads back to submission %d',
  (sequence) => {
    const code = createShortCode(sequence, key)
    expect(code.length).toBeLessThanOrEqual(24)
    expect(code).toMatch(/^[\w-]+$/)
    expect(readShortCode(code, key)).toBe(sequence)
  },
)

it('is refused when any character was changed', () => {
  const code = createShortCode(12_345, key)
  for (let at = 0; at < code.length; at += 1) {
    const other = code[at] === 'A' ? 'Q' : 'A'
    expect(readShortCode(code.slice(0, at) + other + code.slice(at + 1), key)).toBeUndefined()
  }
})

it.each([
  '',
  '-',
  '1',
  `0${createShortCode(1, key)}`,
  `${createShortCode(1, key)}A`,
  'zzzzzzzzzzzz-AAAAAAAAAAAA',
])('is refused as %j', (code) => expect(readShortCode(code, key)).toBeUndefined())

it('is refused under another platform’s key', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  expect(readShortCode(createShortCode(1, key), other)).toBeUndefined()
})
