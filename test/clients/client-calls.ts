import { EinvoicingError, type NewInvoice } from '@einvoicing/client'
import { anInvoice, type InvoiceBody } from '../stack/invoices'

export const makeInvoice = (changes: Partial<InvoiceBody> = {}) => anInvoice(changes) as NewInvoice

/** What a call threw, which must be an error of ours. */
export async function thrownBy(call: Promise<unknown>): Promise<EinvoicingError> {
  const error: unknown = await call.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof EinvoicingError) return error
  throw error
}
