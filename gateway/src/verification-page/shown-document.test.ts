import type { Invoice } from '@einvoicing/proto/invoice'
import { findCredited, findDecision } from './shown-document'

test('a credit note whose invoice was rejected was not sent, and is not to be sent again', () => {
  expect(findDecision({ status: 'FAILED', dgiErrorCode: 'GAVE_UP' })).toBe('failed')
  const status = 'FAILED'
  expect(findDecision({ status, dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' })).toBe('notSent')
})

test('an invoice is cancelled as a whole once the credit notes for all of it were accepted', () => {
  const credited = (...statuses: Invoice['status'][]) => {
    const items = statuses.map((status, index) => ({
      creditNoteId: `note-${index}`,
      invoiceNumber: `A-${index}`,
      status,
      bases: [],
      amountTtc: 500,
    }))
    return findCredited({ amountTtc: 1_000, credits: { items } })
  }
  expect(credited()).toBeUndefined()
  expect(credited('ACCEPTED')).toBe('part')
  expect(credited('ACCEPTED', 'TRANSMITTED')).toBe('part')
  expect(credited('ACCEPTED', 'ACCEPTED')).toBe('whole')
})
