/** For numbers stored before the gateway normalized to NFC; otherwise the unique index decides. */

import { invoiceNumberError, invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import type { InvoiceStore } from './store/store'

type Numbered = Pick<Invoice, 'id' | 'organizationId' | 'invoiceNumber'>

export interface NumberDeps {
  store: Pick<InvoiceStore, 'list'>
}

/** Throws INVOICE_NUMBER_EXISTS when another invoice has the number in another Unicode form. */
export async function rejectOtherForms(deps: NumberDeps, invoice: Numbered): Promise<void> {
  if (invoiceNumberForms(invoice.invoiceNumber).length > 1) await rejectTakenNumber(deps, invoice)
}

/** Throws INVOICE_NUMBER_EXISTS when another invoice has the number. */
export async function rejectTakenNumber(
  { store }: NumberDeps,
  { id, organizationId, invoiceNumber }: Numbered,
): Promise<void> {
  const page = { page: 0, size: 3 }
  const { invoices } = await store.list(organizationId, {
    invoiceNumber,
    page,
    sortBy: 'createdAt',
    descending: false,
  })
  if (invoices.some((other) => other.id !== id)) throw numberExists(invoiceNumber)
}

/** Throws VALIDATION_ERROR when a draft's number would not be accepted today. */
export function rejectUnreadableNumber({ invoiceNumber }: Pick<Invoice, 'invoiceNumber'>): void {
  const isNormal = invoiceNumber === invoiceNumber.normalize('NFC')
  const message = invoiceNumberError(invoiceNumber) ?? (isNormal ? undefined : 'must be in NFC')
  if (message === undefined) return
  throw new ApiError(
    'VALIDATION_ERROR',
    'The number of this draft is not valid for signing: change it by PUT, see errors.',
    { fieldErrors: [{ field: 'invoiceNumber', message }] },
  )
}
