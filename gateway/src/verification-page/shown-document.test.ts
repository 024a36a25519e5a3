import type { Invoice } from '@einvoicing/proto/invoice'
import { computeRemaining, findCredited, findDecision, isProofExpected } from './shown-document'

test('a credit note whose invoice was rejected was not sent, and is not to be sent again', () => {
  expect(findDecision({ status: 'FAILED', dgiErrorCode: 'GAVE_UP' })).toBe('failed')
  const status = 'FAILED'
  expect(findDecision({ status, dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' })).toBe('notSent')
})

/** Of 10.00 at the rate, and credit notes of these taxable amounts. */
function credited(vatRate: number, ...notes: { amount: number; status: Invoice['status'] }[]) {
  const withVat = (amount: number) => amount + Math.round((amount * vatRate) / 100)
  const items = notes.map(({ amount, status }, index) => ({
    creditNoteId: `note-${index}`,
    invoiceNumber: `A-${index}`,
    status,
    bases: [{ vatCategory: 'S', vatRate, amount }],
    amountTtc: withVat(amount),
  }))
  const vatAmount = withVat(1_000) - 1_000
  const vatSubtotals = [{ vatRate, taxableAmount: 1_000, vatAmount }]
  return { amountTtc: withVat(1_000), vatSubtotals, credits: { items } }
}

test('an invoice is cancelled as a whole once the credit notes for all of it were accepted', () => {
  const find = (...statuses: Invoice['status'][]) =>
    findCredited(credited(20, ...statuses.map((status) => ({ amount: 500, status }))))
  expect(find()).toBeUndefined()
  expect(find('ACCEPTED')).toBe('part')
  expect(find('ACCEPTED', 'TRANSMITTED')).toBe('part')
  expect(find('ACCEPTED', 'ACCEPTED')).toBe('whole')
})

test.each([20, 14, 7])(
  'three thirds are the whole, and nothing remains: VAT of %i %%',
  (vatRate) => {
    const thirds = [333, 333, 334].map((amount) => ({ amount, status: 'ACCEPTED' as const }))
    const whole = credited(vatRate, ...thirds)
    expect(whole.credits.items.reduce((sum, one) => sum + one.amountTtc, 0)).not.toBe(
      whole.amountTtc,
    )
    expect([findCredited(whole), computeRemaining(whole)]).toEqual(['whole', 0])
    const part = credited(vatRate, ...thirds.slice(1))
    expect(findCredited(part)).toBe('part')
    expect(computeRemaining(part)).toBeGreaterThan(300)
  },
)

test('a proof is expected for an hour: without a time-stamp authority it never comes', () => {
  const signedAt = '2026-05-03T10:00:00.000Z'
  const isExpectedAt = (now: string) => isProofExpected({ signedAt }, new Date(now))
  expect(isExpectedAt('2026-05-03T10:59:59.999Z')).toBe(true)
  expect(isExpectedAt('2026-05-03T11:00:00.000Z')).toBe(false)
  expect(isProofExpected({}, new Date(signedAt))).toBe(false)
})
