import { Argument } from 'commander'
import { EinvoicingError, type EinvoicingClient } from '@einvoicing/client'

export const invoiceArgument = (): Argument => new Argument('<invoice>', 'invoice id or number')

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Throws `EinvoicingError` INVOICE_NOT_FOUND. */
export async function findInvoiceId(client: EinvoicingClient, invoice: string): Promise<string> {
  if (idForm.test(invoice)) return invoice
  const { content } = await client.listPage({ invoiceNumber: invoice, size: 1 })
  const [found] = content
  if (found) return found.id
  const message = `No invoice has the id or number "${invoice}".`
  throw new EinvoicingError('INVOICE_NOT_FOUND', message)
}
