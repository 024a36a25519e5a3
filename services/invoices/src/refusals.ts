/** The refusal that more than one use case of this service gives. */

import { Refusal } from '@einvoicing/kernel/refusal'

export function numberExists(invoiceNumber: string): Refusal {
  return new Refusal(
    'INVOICE_NUMBER_EXISTS',
    `An invoice numbered "${invoiceNumber}" exists already; find it with GET /v1/invoices?invoiceNumber=${encodeURIComponent(invoiceNumber)}.`,
  )
}
