import SharedBig from 'big.js'
import fc from 'fast-check'
import { Decimal } from './decimal'

const Big = SharedBig() // of our own: the settings are its constructor's
Big.strict = true
Big.PE = 1_000_000 // plain notation, like ours
Big.NE = -1_000_000

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max })

const plainText = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 15), digits(0, 14))
  .map(([sign, integer, fraction]) => `${sign}${integer}${fraction && `.${fraction}`}`)

const anyText = fc
  .tuple(
    plainText,
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.integer({ min: -30, max: 30 }))),
  )
  .map(([text, exponent]) => (exponent ? text + exponent.join('') : text))

/** big.js rounds a quotient to `DP` places; shifting its exponent is exact. */
const big = (text: string, exponent = 0) => new Big(`${text}e${exponent}`)

const sameValue = (ours: Decimal, theirs: Big) =>
  expect(ours.withoutTrailingZeros().toString()).toBe(withoutNegativeZero(theirs.toString()))

// We have one zero; big.js has a signed one.
const withoutNegativeZero = (text: string) => (text === '-0' ? '0' : text)

describe('Decimal agrees with big.js', () => {
  test('on what a text means', () => {
    fc.assert(fc.property(anyText, (text) => sameValue(Decimal.parse(text), new Big(text))))
  })

  test('on sums', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) =>
        sameValue(Decimal.parse(a).plus(Decimal.parse(b)), new Big(a).plus(b)),
      ),
    )
  })

  test('on products', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) =>
        sameValue(Decimal.parse(a).times(Decimal.parse(b)), new Big(a).times(b)),
      ),
    )
  })

  test('on rounding half away from zero, digits and all', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 12 }), (text, fractionDigits) => {
        const theirs = new Big(text).toFixed(fractionDigits, Big.roundHalfUp)
        const zero = /^-[0.]+$/.test(theirs)
        expect(Decimal.parse(text).rounded(fractionDigits).toString()).toBe(
          zero ? theirs.slice(1) : theirs,
        )
      }),
    )
  })

  test('on ties, which random numbers seldom are', () => {
    fc.assert(
      fc.property(plainText, (text) => {
        const tie = `${text}${text.includes('.') ? '' : '.'}5`
        const fractionDigits = tie.length - tie.indexOf('.') - 2
        const theirs = new Big(tie).toFixed(fractionDigits, Big.roundHalfUp)
        expect(Decimal.parse(tie).rounded(fractionDigits).toString()).toBe(theirs)
      }),
    )
  })

  test('on the shortest text of a number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        sameValue(Decimal.fromNumber(value), new Big(String(value))),
      ),
    )
  })

  test('on division by powers of ten', () => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: 0, max: 20 }), (text, places) =>
        sameValue(Decimal.parse(text).shiftedRight(places), big(text, -places)),
      ),
    )
  })

  test('on the count of integer digits', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const integer = new Big(text).abs().round(0, Big.roundDown).toString()
        expect(Decimal.parse(text).integerDigits).toBe(integer === '0' ? 0 : integer.length)
      }),
    )
  })
})

describe('Decimal.fromNumber', () => {
  test.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [123456789.123, '123456789.123'],
    [-0, '0'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('%d is %s', (value, text) => expect(Decimal.fromNumber(value).toString()).toBe(text))

  test('rejects a text that is not a number', () => {
    for (const value of [Number.NaN, Infinity, -Infinity])
      expect(() => Decimal.fromNumber(value)).toThrow(RangeError)
  })
})

describe('Decimal.parse', () => {
  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '1,5',
    '0x10',
    '1e',
    '1e1.5',
    '--1',
    '1_000',
    '١',
    'NaN',
  ])('rejects %j', (text) => expect(() => Decimal.parse(text)).toThrow(RangeError))

  test('rejects an exponent that would fill memory, and quotes at most a line of it', () => {
    expect(Decimal.parse('1e400').integerDigits).toBe(401)
    expect(Decimal.parse('1e-400').scale).toBe(400)
    for (const exponent of ['401', '-401', '9'.repeat(400)])
      expect(() => Decimal.parse(`1e${exponent}`)).toThrow(RangeError)
    expect(() => Decimal.parse('x'.repeat(10_000))).toThrow(/^not a decimal number: x{40}$/)
  })
})

describe('minor units', () => {
  test('are read and written', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 4 }), (minorUnits, places) => {
        const amount = Decimal.fromMinorUnits(minorUnits, places)
        expect(Number(amount.toMinorUnits(places))).toBe(minorUnits)
        expect(amount.toString()).toBe(
          withoutNegativeZero(big(String(minorUnits), -places).toFixed(places)),
        )
      }),
    )
  })

  test('round half away from zero', () => {
    expect(Decimal.parse('2.345').toMinorUnits(2)).toBe(235n)
    expect(Decimal.parse('-2.345').toMinorUnits(2)).toBe(-235n)
    expect(Decimal.parse('2.3449999999').toMinorUnits(2)).toBe(234n)
  })

  test('stay exact past 2^53', () => {
    const product = Decimal.parse('999999999999.9999999999').times(Decimal.parse('999999999999'))
    expect(product.toMinorUnits(2)).toBe(99999999999899999999990000n)
  })
})

test('zero is neither negative nor anything else', () => {
  for (const text of ['0', '-0', '0.000', '-0e5']) {
    expect(Decimal.parse(text).isZero).toBe(true)
    expect(Decimal.parse(text).isNegative).toBe(false)
  }
  expect(Decimal.parse('-0.001').isNegative).toBe(true)
  expect(Decimal.parse('-0.001').rounded(2).isNegative).toBe(false)
})
