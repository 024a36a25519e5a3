import { invoiceNumberError, invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { InvoiceStore } from './store/store'

type Numbered = Pick<Invoice, 'id' | 'organizationId' | 'invoiceNumber'>

export interface NumberDeps {
  store: Pick<InvoiceStore, 'list'>
}

/** The oldest first. Numbers stored before the gateway normalized to NFC have up to three forms. */
export async function listByNumber(
  { store }: NumberDeps,
  organizationId: string,
  { invoiceNumber }: Pick<ListInvoicesRequest, 'invoiceNumber'>,
): Promise<Invoice[]> {
  const page = { page: 0, size: 3 }
  const request = { invoiceNumber, page, sortBy: 'createdAt', descending: false }
  return (await store.list(organizationId, request)).invoices
}

/** Throws INVOICE_NUMBER_EXISTS for another Unicode form; the unique index decides the same one. */
export async function rejectOtherForms(deps: NumberDeps, invoice: Numbered): Promise<void> {
  if (invoiceNumberForms(invoice.invoiceNumber).length > 1) await rejectTakenNumber(deps, invoice)
}

/** Throws INVOICE_NUMBER_EXISTS when another invoice has the number. */
export async function rejectTakenNumber(deps: NumberDeps, invoice: Numbered): Promise<void> {
  const found = await listByNumber(deps, invoice.organizationId, invoice)
  if (found.some(({ id }) => id !== invoice.id)) throw numberExists(invoice.invoiceNumber)
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
