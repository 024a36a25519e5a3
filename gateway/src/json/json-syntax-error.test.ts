import fc from 'fast-check'
import { findJsonSyntaxError } from './json-syntax-error'
import { nestsTooDeeply } from './json-depth'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('findJsonSyntaxError', () => {
  it('finds an error exactly when JSON.parse throws', () => {
    const nearlyJson = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '\u0001', 'e', ' ', '\u00a0'),
      )
      .map(([text, at, put]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + put + text.slice(index + (at % 2))
      })
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string()), (text) => {
        expect(findJsonSyntaxError(text) === undefined).toBe(parses(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['{"a":}', 1, 6, 'unexpected "}"'],
    ['{\n  "a": 1,\n}', 3, 1, 'unexpected "}"'],
    ['{"a": 01}', 1, 7, 'unexpected "0"'],
    ['{"a": "b\n"}', 1, 9, 'an unescaped control character'],
    ['{"a": "\\x"}', 1, 8, 'an unknown escape'],
    ['{"a": 1} x', 1, 10, 'something follows the end'],
    ['{"a": 1', 1, 8, 'the text ends too early'],
    ["{'a': 1}", 1, 2, 'unexpected "\'"'],
    ['{"a": NaN}', 1, 7, 'unexpected "N"'],
  ])('finds the position: %j', (text, line, column, what) => {
    expect(findJsonSyntaxError(text)).toEqual({ what, line, column })
  })
})

describe('nestsTooDeeply', () => {
  const padding = ' '.repeat(16 * 1024)
  const nested = (depth: number) => `${padding}${'['.repeat(depth)}${']'.repeat(depth)}`

  it('allows 32 levels and no more', () => {
    expect(nestsTooDeeply(nested(32))).toBe(false)
    expect(nestsTooDeeply(nested(33))).toBe(true)
  })

  it('ignores brackets in texts', () => {
    expect(nestsTooDeeply(`${padding}{"a\\"": "${'['.repeat(100)}\\"[{"}`)).toBe(false)
  })
})
