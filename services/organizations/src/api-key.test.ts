import { createHmac, randomBytes } from 'node:crypto'
import { base62, isWellFormedApiKey } from '@einvoicing/access/api-key'
import { generateApiKey, digestWithPepper, type RandomBytes } from './api-key'

function counting(first: number): RandomBytes {
  let next = first
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256)
}

describe('generateApiKey', () => {
  it('makes well-formed keys, each another', () => {
    const keys = Array.from({ length: 1000 }, () => generateApiKey(randomBytes))
    expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('skips bytes of 248 and above, which would favour some characters', () => {
    const bodyFrom = (first: number) => generateApiKey(counting(first)).slice(7, 7 + 43)
    expect(bodyFrom(0)).toBe(base62.slice(0, 43))
    expect(bodyFrom(247)).toBe(`z${base62.slice(0, 42)}`)
    expect(bodyFrom(248)).toBe(base62.slice(0, 43))
  })

  it('gives every byte below 248 one of 62 characters, four bytes each', () => {
    const timesByCharacter = new Map<string, number>()
    for (let byte = 0; byte < 248; byte += 1) {
      const character = generateApiKey((count) => new Uint8Array(count).fill(byte)).charAt(7)
      timesByCharacter.set(character, (timesByCharacter.get(character) ?? 0) + 1)
    }
    expect([...timesByCharacter.values()]).toEqual(Array.from({ length: 62 }, () => 4))
  })
})

describe('keptDigest', () => {
  const sha256 = Buffer.alloc(32, 7)

  it('is the SHA-256 itself without a pepper', () => {
    expect(digestWithPepper(sha256, undefined)).toEqual(sha256)
  })

  it('is an HMAC over the SHA-256 with one', () => {
    const pepper = Buffer.from('p'.repeat(32))
    const expected = createHmac('sha256', pepper).update(sha256).digest()
    expect(digestWithPepper(sha256, pepper)).toEqual(expected)
  })
})
