import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { simpleInvoice } from '../testdata/open-gateway'
import { readNewInvoice } from './read-body'

const [simpleLine] = simpleInvoice.lines

function findErrors(read: () => unknown): readonly FieldError[] {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'VALIDATION_ERROR')
      return thrown.fieldErrors ?? []
    throw thrown
  }
  return []
}

const messageOn = (errors: readonly FieldError[], field: string) =>
  errors.filter((error) => error.field === field).map(({ message }) => message)

const withLine = (changes: object) =>
  findErrors(() =>
    readNewInvoice(JSON.stringify({ ...simpleInvoice, lines: [{ ...simpleLine, ...changes }] })),
  )
/** A literal as the client writes it, which `JSON.stringify` might not. */
const withLiteral = (name: string, literal: string) =>
  JSON.stringify({ ...simpleInvoice, lines: [{ ...simpleLine, [name]: '@' }] }).replace(
    '"@"',
    literal,
  )

describe('the numbers of a line', () => {
  const bound = 'must have at most 12 digits before and 10 after the decimal point; got '
  const tooManyDigits = [expect.stringContaining(bound)] as string[]
  const toRound = [expect.stringMatching(/; got .*: round it$/)] as string[]
  it.each([
    ['999999999999', '999999999999', []],
    ['1000000000000', '', tooManyDigits],
    ['0.0000000001', '0.0000000001', []],
    ['0.00000000001', '', toRound],
    // What 0.1 + 0.2 is in binary floating point.
    ['0.30000000000000004', '', [`${bound}0.30000000000000004: round it`]],
    ['1e-10', '0.0000000001', []],
    ['1e-11', '', tooManyDigits],
    ['1e3', '1000', []],
    ['1e400', '', tooManyDigits],
    ['1e9999999999999999', '', tooManyDigits],
    ['1.50', '1.5', []],
    // More digits than a binary double holds.
    ['1234567890123456789e-10', '123456789.0123456789', []],
    ['123456789012.1234567891', '123456789012.1234567891', []],
    ['0.1000000000000000000', '0.1', []],
    ['123456789012.12345678911', '', tooManyDigits],
    [`1${'0'.repeat(100_000)}`, '', tooManyDigits],
    [`0.${'0'.repeat(100)}`, '', ['must be greater than 0']],
  ])('quantity %s', (literal, quantity, messages) => {
    const json = withLiteral('quantity', literal)
    expect(
      messageOn(
        findErrors(() => readNewInvoice(json)),
        'lines[0].quantity',
      ),
    ).toEqual(messages)
    if (quantity) expect(readNewInvoice(json).content.lines[0]?.quantity).toBe(quantity)
  })

  it.each([
    ['vatRate', '20.00000000000000001', 'must be one of 0, 7, 10, 14, 20 (percent)'],
    ['lineNumber', '0.99999999999999999999', 'must be a whole number from 1 to 2147483647'],
    ['lineNumber', '1.0000000000000000001', 'must be a whole number from 1 to 2147483647'],
    ['description', '12345678901234567890', 'must be text in quotes'],
    ['unit', '1e400', 'must be text in quotes'],
  ])('%s is not %s', (name, literal, message) => {
    expect(findErrors(() => readNewInvoice(withLiteral(name, literal)))).toEqual([
      { field: `lines[0].${name}`, message: `${message}; got ${literal}` },
    ])
  })

  it.each([
    ['vatRate', '2E+1'],
    ['lineNumber', '1.0000000000000000000'],
  ])('%s may be written as %s', (name, literal) => {
    expect(findErrors(() => readNewInvoice(withLiteral(name, literal)))).toEqual([])
  })

  it('does not read a long number as an object', () => {
    const lines = JSON.stringify({ ...simpleInvoice, lines: ['@'] }).replace('"@"', '1e400')
    expect(findErrors(() => readNewInvoice(lines))).toEqual([
      { field: 'lines[0]', message: 'must be an object; got "1e400"' },
    ])
    expect(findErrors(() => readNewInvoice('1e400'))[0]).toMatchObject({ field: 'body' })
  })

  it('accepts 10,000 long numbers, not more', () => {
    const withNumbers = (count: number) =>
      findErrors(() =>
        readNewInvoice(
          JSON.stringify(simpleInvoice).replace('{', `{"x": [${Array(count).fill('1e2').join()}],`),
        ),
      )
    expect(withNumbers(10_000)).toEqual([{ field: 'x', message: 'is not a known field' }])
    expect(withNumbers(10_001)).toEqual([
      {
        field: 'body',
        message: 'must have at most 10000 numbers with an exponent or more than 15 digits',
      },
    ])
  })

  it('reads minus zero as zero', () => {
    const { content } = readNewInvoice(withLiteral('unitPrice', '-0'))
    expect(content.lines[0]?.unitPrice).toBe('0')
  })

  it('does not treat a long number in a text as a price', () => {
    const description = '"unitPrice": 1234567890123456789012 , "quantity":12345678901234567890}'
    expect(withLine({ description })).toEqual([])
  })
})
