import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceStore } from '../store/store'

export async function withCreditStatuses(
  store: Pick<InvoiceStore, 'readSummaries'>,
  invoice: Invoice,
): Promise<Invoice> {
  const { organizationId, credits } = invoice
  if (!credits || credits.items.length === 0) return invoice
  const ids = credits.items.map(({ creditNoteId }) => creditNoteId)
  const summaries = await store.readSummaries(organizationId, ids)
  const items = credits.items.map((credit) => ({
    ...credit,
    status: summaries.get(credit.creditNoteId)?.status,
  }))
  return { ...invoice, credits: { ...credits, items } }
}
