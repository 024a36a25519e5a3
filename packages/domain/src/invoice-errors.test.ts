import { invoiceNotEditable, qrNotAvailable } from './invoice-errors'

const note = { type: 'CREDIT_NOTE' }
const notSent = { ...note, status: 'FAILED', dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' } as const
const reverse = 'To reverse it, issue a new invoice.'

it.each([
  [{ status: 'ACCEPTED' }, 'This invoice is ACCEPTED', 'POST /v1/invoices/:id/credit-note'],
  [{ status: 'FAILED' }, 'This invoice is FAILED', 'POST /v1/invoices/:id/resubmit'],
  [{ status: 'REJECTED' }, 'This invoice is', 'Issue the corrected invoice under a new number.'],
  [{ ...note, status: 'SIGNED' }, 'This credit note is SIGNED', reverse],
  [{ ...note, status: 'TRANSMITTED' }, 'This credit note is TRANSMITTED', reverse],
  [{ ...note, status: 'ACCEPTED' }, 'This credit note is ACCEPTED', reverse],
  [{ ...note, status: 'REJECTED' }, '', 'Issue the corrected credit note under a new number.'],
  [{ ...note, status: 'CANCELLED' }, '', 'Issue a new credit note under a new number.'],
  [{ ...note, status: 'FAILED', dgiErrorCode: 'GAVE_UP' }, '', '/v1/invoices/:id/resubmit'],
  [notSent, 'FAILED', 'rejected the invoice that this credit note corrects, so it cannot be sent'],
] as const)('%j cannot be changed: the error says what can be done', (document, first, then) => {
  const { code, message } = invoiceNotEditable(document)
  expect([code, message]).toEqual(['INVOICE_NOT_EDITABLE', expect.stringContaining(first)])
  expect(message).toContain(then)
  const isPossible = then.includes('/v1')
  expect(/\/v1/.test(message)).toBe(isPossible)
})

it.each([
  [{ status: 'FAILED' }, 'POST /v1/invoices/:id/resubmit'],
  [{ ...note, status: 'FAILED', dgiErrorCode: 'GAVE_UP' }, 'made no decision in time'],
  [notSent, 'rejected the invoice that this credit note corrects, so it was not sent'],
] as const)('%j has no QR code: the error says why', (document, why) => {
  const { code, message } = qrNotAvailable(document)
  expect([code, message]).toEqual(['ARTEFACT_NOT_AVAILABLE', expect.stringContaining(why)])
  expect(message.includes('resubmit')).toBe(document !== notSent)
})
