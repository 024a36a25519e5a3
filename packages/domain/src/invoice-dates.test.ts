import { dayInMorocco, dueDateError, invoiceDateError } from './invoice-dates'

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

it.each([
  ['2026-05-03', '2000-01-01', undefined],
  ['2026-05-03', '1999-12-31', 'must not be earlier than 2000-01-01; got 1999-12-31'],
  ['2026-05-03', '0001-01-01', 'must not be earlier than 2000-01-01; got 0001-01-01'],
  ['2026-05-03', '2027-05-03', undefined],
  [
    '2026-05-03',
    '2027-05-04',
    'must not be later than one year after today (2027-05-03); got 2027-05-04',
  ],
  [
    '2026-05-03',
    '9999-12-31',
    'must not be later than one year after today (2027-05-03); got 9999-12-31',
  ],
  // A leap day has no anniversary in the year after, and is one itself.
  ['2028-02-29', '2029-02-28', undefined],
  [
    '2028-02-29',
    '2029-03-01',
    'must not be later than one year after today (2029-02-28); got 2029-03-01',
  ],
  ['2027-02-28', '2028-02-28', undefined],
  [
    '2027-02-28',
    '2028-02-29',
    'must not be later than one year after today (2028-02-28); got 2028-02-29',
  ],
  ['2027-12-31', '2028-12-31', undefined],
])('on %s an invoice dated %s: %s', (today, invoiceDate, error) => {
  expect(invoiceDateError(invoiceDate, noon(today))).toBe(error)
})

it('counts today by the clock of Morocco, an hour ahead of UTC but in Ramadan', () => {
  expect(dayInMorocco(new Date('2026-05-03T22:59:59Z'))).toBe('2026-05-03')
  expect(dayInMorocco(new Date('2026-05-03T23:00:00Z'))).toBe('2026-05-04')
  expect(dayInMorocco(new Date('2026-03-01T23:30:00Z'))).toBe('2026-03-01')
  expect(invoiceDateError('2027-05-04', new Date('2026-05-03T22:59:59Z'))).toBeDefined()
  expect(invoiceDateError('2027-05-04', new Date('2026-05-03T23:00:00Z'))).toBeUndefined()
})

it.each([
  ['2026-05-03', '2026-05-03', undefined],
  ['2026-05-03', '2026-05-02', 'must not be before invoiceDate (2026-05-03)'],
  ['2026-05-03', '2036-05-03', undefined],
  [
    '2026-05-03',
    '2036-05-04',
    'must not be later than ten years after invoiceDate (2036-05-03); got 2036-05-04',
  ],
  // No year of five digits can be compared as text: the invoice date itself is rejected.
  ['9999-01-01', '9999-02-01', undefined],
  ['2028-02-29', '2038-02-28', undefined],
  [
    '2028-02-29',
    '2038-03-01',
    'must not be later than ten years after invoiceDate (2038-02-28); got 2038-03-01',
  ],
])('an invoice dated %s due on %s: %s', (invoiceDate, dueDate, error) => {
  expect(dueDateError(invoiceDate, dueDate)).toBe(error)
})
