import fc from 'fast-check'
import { toApiKey, base62, digestApiKey, isWellFormedApiKey } from './api-key'

const character = fc.constantFrom(...Array.from(base62))
const bodies = fc.string({ unit: character, minLength: 43, maxLength: 43 })

describe('an API key', () => {
  it('has the specified format', () => {
    // By Python's binascii: the CRC-32 of 43 zeros is 0x7849568f, in base62 2CZclj.
    expect(toApiKey('0'.repeat(43))).toBe(`svc_sk_${'0'.repeat(43)}2CZclj`)
  })

  it('is well formed whatever its body', () => {
    fc.assert(fc.property(bodies, (body) => isWellFormedApiKey(toApiKey(body))))
  })

  it('is rejected with any one character changed, or two neighbours swapped', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 0, max: 55 }), character, (body, at, other) => {
        const key = toApiKey(body)
        const changed = key.slice(0, at) + other + key.slice(at + 1)
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        for (const typo of [changed, swapped]) {
          if (typo !== key && isWellFormedApiKey(typo)) return false
        }
        return true
      }),
    )
  })

  it('is rejected when cut, lengthened, in another case, or padded', () => {
    const key = toApiKey('aB3'.padEnd(43, 'x'))
    const others = [
      '',
      'svc_sk_',
      key.slice(0, -1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      key.toUpperCase(),
      key.replace('svc_sk_', 'svc_pk_'),
    ]
    expect(others.filter(isWellFormedApiKey)).toEqual([])
  })

  it('leaves the gateway as its SHA-256', () => {
    // FIPS 180-2, appendix B.1.
    expect(digestApiKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
