import Big from 'big.js'
import fc from 'fast-check'
import { ExactNumber, parseExactJson, toExactNumber, writeExactJson } from './exact-json'

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

/** Every form that JSON has for a number. */
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(1, 22).map((integer) => integer.replace(/^0+(?=\d)/, '')),
    fc.option(digits(1, 22), { nil: undefined }),
    fc.option(
      fc.tuple(
        fc.constantFrom('e', 'E'),
        fc.constantFrom('', '+', '-'),
        fc.constantFrom('', '0', '00'),
        fc.integer({ min: 0, max: 40 }),
      ),
      { nil: undefined },
    ),
  )
  .map(
    ([sign, integer, fraction, exponent]) =>
      `${sign}${integer}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  )

const written = (value: unknown) => (value instanceof ExactNumber ? value.literal : String(value))

it('keeps the value of every number', () => {
  fc.assert(
    fc.property(literal, (text) => {
      expect(new Big(written(parseExactJson(text))).eq(text)).toBe(true)
      const inObject = parseExactJson(`{"a":[${text},{"b": ${text}}]}`) as { a: [unknown, object] }
      expect(inObject.a).toEqual([parseExactJson(text), { b: parseExactJson(text) }])
    }),
    { numRuns: 2_000 },
  )
})

it.each(['1e400', '-1e400', '1e-400', '9'.repeat(400), `0.${'0'.repeat(400)}1`])(
  'keeps %s, which no double holds',
  (text) => {
    expect(parseExactJson(text)).toEqual(new ExactNumber(text))
  },
)

it.each([
  ['1.0000000000000000000', 1],
  ['1e0', 1],
  ['1E+2', 100],
  ['0e999999999', 0],
  ['-0', -0],
  ['-0.00000000000000000000', -0],
  ['20.000000000000000', 20],
  ['0.1000000000000000000', 0.1],
])('reads %s as the number it is', (text, value) => {
  expect(parseExactJson(text)).toBe(value)
})

it('reads whatever else JSON holds as JSON.parse does', () => {
  const text = fc.string({ unit: fc.constantFrom(...'"\\0123456789.eE-+: {}[],\u2028é😀') })
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      text,
      fc.constantFrom('\n', ' '),
      (value, odd, gap) => {
        // The last member makes every text take the long way.
        const json = JSON.stringify({ [odd]: odd, value, long: '1e5' }, undefined, gap)
        expect(JSON.stringify(parseExactJson(json))).toBe(JSON.stringify(JSON.parse(json)))
      },
    ),
    { numRuns: 1_000 },
  )
})

it('treats __proto__ as any other name, and uses the last of a repeated name', () => {
  const read = parseExactJson('{"__proto__": {"x": 1e400}, "a": 1e400, "a": 2}') as object
  expect(Object.keys(read)).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(read).toHaveProperty('a', 2)
})

it.each([
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  '0x10',
  '1_0',
  '--1',
  '1e5.5',
  '٣',
  'NaN',
  '12345678901234567890.',
])('refuses %s, as JSON.parse does', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError)
})

it('writes every digit', () => {
  const plain = fc
    .tuple(digits(1, 12), digits(0, 10))
    .map(
      ([integer, fraction]) => `${integer.replace(/^0+(?=\d)/, '')}${fraction && `.${fraction}`}`,
    )
  fc.assert(
    fc.property(plain, fc.string(), (decimal, name) => {
      const json = writeExactJson({ [name]: [toExactNumber(decimal)], [`${name}.text`]: name })
      const before = `{${JSON.stringify(name)}:[`
      expect(json.startsWith(before)).toBe(true)
      const [number = ''] = json.slice(before.length).split(']')
      expect(new Big(number).eq(decimal)).toBe(true)
      expect(JSON.parse(json)).toEqual({ [name]: [Number(decimal)], [`${name}.text`]: name })
    }),
    { numRuns: 1_000 },
  )
})
