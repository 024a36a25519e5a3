/** The page keeps every digit of a stored line, and saves none that it would have to round. */

// Imported on the way, not called: it cannot be loaded here.
jest.mock('wouter', () => ({}))

// The page is of another compiler's configuration: taken as it is, without its types.
const { parseAnswer } = jest.requireActual('../../dashboard/src/api/exact-answer')
const draft = jest.requireActual('../../dashboard/src/invoices/draft')
const { findErrors } = jest.requireActual('../../dashboard/src/invoices/draft-errors')
const messages = { digits: 'too many digits' }

const long = '123456789012.1000000001'
const makeInvoice = (quantity: string, unitPrice = '2') =>
  parseAnswer(
    `{"invoiceNumber":"A","dueDate":null,"lines":[{"description":"x","quantity": ${quantity},"unitPrice":${unitPrice},"vatRate":20}]}`,
  )

test('quantities and prices of more than 15 digits are texts, all else is as JSON has it', () => {
  expect(makeInvoice(long, '0.0000000001').lines[0]).toMatchObject({
    quantity: long,
    unitPrice: 1e-10,
  })
  expect(makeInvoice('1', long).lines[0]).toMatchObject({ quantity: 1, unitPrice: long })
  for (const text of [
    '{"quantity":12345678901234.5}',
    '{"quantity":1.2345678901234567e-7,"unitPrice":null}',
    '{"amountHt":12345678901234.567,"other":[1.23456789012345678]}',
    `{"description":"\\"quantity\\":${long}","b":"\\\\","quantity":"${long}"}`,
    `{"x${long}":"quantity","y":[true,false,-0.5]}`,
    `"${'"\\\\'.replaceAll('"', '')}${'a'.repeat(1_000_000)}${long}"`,
  ]) {
    expect(parseAnswer(text)).toEqual(JSON.parse(text))
  }
  expect(() => parseAnswer(`{"quantity":${long}`)).toThrow(SyntaxError)
})

describe.each(['fr', 'en'])('an opened draft with such a line, in %s', (language) => {
  const shown = language === 'fr' ? long.replace('.', ',') : long

  test('shows every digit and is not saved rounded', () => {
    const typed = draft.toTypedDraft(makeInvoice(long), language)
    expect(typed.lines[0].quantity).toBe(shown)
    expect(findErrors(typed, language, messages)).toMatchObject({
      'lines.0.quantity': messages.digits,
    })
  })

  test('a value with fewer digits is a change, even when the double is equal', () => {
    const typed = draft.toTypedDraft(makeInvoice(long), language)
    const before = draft.toContent(typed, language)
    const [line] = typed.lines
    const lines = [{ ...line, quantity: shown.slice(0, 14) }]
    const after = draft.toContent({ ...typed, lines }, language)
    expect(after.lines[0].quantity).toBe(Number(long))
    expect(draft.findChanges(before, after)).toEqual({ lines: after.lines })
  })
})
