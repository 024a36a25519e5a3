/**
 * Numbers that were stored before the gateway refused what cannot be seen in them and normalized
 * the rest. Between numbers in NFC the store's unique index decides.
 */

import { invoiceNumberError, invoiceNumberForms } from '@einvoicing/domain/invoice-number'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from './deps'
import { numberExists } from '@einvoicing/domain/invoice-errors'

type Numbered = Pick<Invoice, 'id' | 'organizationId' | 'invoiceNumber'>

/** INVOICE_NUMBER_EXISTS where another invoice has the number in another form. */
export async function refuseOtherForms(
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

/** VALIDATION_ERROR for a draft whose number would not be accepted today. */
export function refuseUnreadableNumber({ invoiceNumber }: Pick<Invoice, 'invoiceNumber'>): void {
  const isNormal = invoiceNumber === invoiceNumber.normalize('NFC')
  const message = invoiceNumberError(invoiceNumber) ?? (isNormal ? undefined : 'must be in NFC')
  if (message === undefined) return
  throw new ApiError(
    'VALIDATION_ERROR',
    'The number of this draft cannot be signed: give it another by PUT, see errors.',
    { fieldErrors: [{ field: 'invoiceNumber', message }] },
  )
}
