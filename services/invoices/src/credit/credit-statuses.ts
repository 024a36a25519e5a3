import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceStore } from '../store/store'

export async function withCreditStatuses(
  store: Pick<InvoiceStore, 'readStatuses'>,
  invoice: Invoice,
): Promise<Invoice> {
  const { organizationId, credits } = invoice
  if (!credits || credits.items.length === 0) return invoice
  const ids = credits.items.map(({ creditNoteId }) => creditNoteId)
  const statuses = await store.readStatuses(organizationId, ids)
  const items = credits.items.map((credit) => ({
    ...credit,
    status: statuses.get(credit.creditNoteId),
  }))
  return { ...invoice, credits: { ...credits, items } }
}
