const { readDecimal, toExactly } = jest.requireActual('../../dashboard/src/invoices/typed-numbers')

const locales = ['fr-MA', 'fr-FR', 'fr-BE', 'fr-CA', 'fr-CH', 'en-GB', 'en-US', 'en-IN', 'en-CH']

test.each(locales)('an amount is read as it is written in %s', (locale) => {
  const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(4500.5)
  const language = locale.slice(0, 2)
  expect(readDecimal(written, language)?.toString()).toBe('4500.5')
  expect(toExactly(written, language)).toBe(4500.5)
})

test.each([
  ['fr', '1.234.567', '1234567'],
  ['en', '1,234,567.891', '1234567.891'],
  ['en', '1.500', '1.5'],
  ['fr', '0.125', '0.125'],
])('in %s %j is %s', (language, typed, expected) => {
  expect(readDecimal(typed, language)?.toString()).toBe(expected)
})

test.each([
  ['fr', '1.500'],
  ['en', '1,500'],
  ['en', '1,50'],
  ['en', '1,234,56'],
  ['fr', '1.2,5'],
  ['fr', '1,234.567,8'],
])('in %s %j, which has two meanings or none, is not read', (language, typed) => {
  expect(readDecimal(typed, language)).toBeUndefined()
})
