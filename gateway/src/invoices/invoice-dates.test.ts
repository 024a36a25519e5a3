import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { simpleInvoice } from '../testdata/open-gateway'
import { readInvoiceChanges, readNewInvoice } from './read-body'

function collectErrors(read: () => unknown): readonly FieldError[] {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'VALIDATION_ERROR')
      return thrown.fieldErrors ?? []
    throw thrown
  }
  return []
}

it('an invoice is dated at most one year after today in Morocco, reported with its other errors', () => {
  const now = new Date('2026-05-03T23:30:00Z')
  const dated = (invoiceDate: string, changes = {}) =>
    collectErrors(() =>
      readNewInvoice(JSON.stringify({ ...simpleInvoice, invoiceDate, ...changes }), now),
    )
  expect(dated('2027-05-04')).toEqual([])
  const message = 'must not be later than one year after today (2027-05-04); got 2027-05-05'
  expect(dated('2027-05-05')).toEqual([{ field: 'invoiceDate', message }])
  const fields = dated('2027-05-05', { currency: 1 }).map(({ field }) => field)
  expect(fields.sort()).toEqual(['currency', 'invoiceDate'])
  const changing = JSON.stringify({ invoiceDate: '2027-05-05' })
  expect(collectErrors(() => readInvoiceChanges(changing, now))).toEqual([
    { field: 'invoiceDate', message },
  ])
})

it.each([
  ['invoiceDate', '2000-01-01', []],
  ['invoiceDate', '1999-12-31', ['must not be earlier than 2000-01-01; got 1999-12-31']],
  ['dueDate', '2036-01-31', []],
  [
    'dueDate',
    '2036-02-01',
    ['must not be later than ten years after invoiceDate (2036-01-31); got 2036-02-01'],
  ],
])('%s: %s', (field, date, messages) => {
  const errors = collectErrors(() =>
    readNewInvoice(JSON.stringify({ ...simpleInvoice, [field]: date })),
  )
  expect(errors.map(({ message }) => message)).toEqual(messages)
})
