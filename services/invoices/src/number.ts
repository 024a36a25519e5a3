/** For numbers stored before the gateway normalized to NFC; otherwise the unique index decides. */

import { invoiceNumberError, invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { numberExists } from '@einvoicing/domain/invoice-errors'

type Numbered = Pick<Invoice, 'id' | 'organizationId' | 'invoiceNumber'>

/** Throws INVOICE_NUMBER_EXISTS when another invoice has the number in another Unicode form. */
export async function rejectOtherForms(
  { store }: Pick<Deps, 'store'>,
  { id, organizationId, invoiceNumber }: Numbered,
): Promise<void> {
  if (invoiceNumberForms(invoiceNumber).length === 1) return
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
