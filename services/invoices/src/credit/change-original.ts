import type { Credits, Invoice } from '@einvoicing/proto/invoice'
import { auditEntry } from '../audit'
import { changeMoment } from '../change-invoice'
import type { Deps } from '../deps'
import type { Change } from '../store/store'

interface Booked {
  action: 'invoice.credited' | 'invoice.credit-released'
  actor: string
  /** Of the credit note. */
  invoiceNumber: string
  credits: Credits
}

/** What credit notes take of an invoice, changed, with its audit entry. */
export function changeOriginal(
  { now }: Pick<Deps, 'now'>,
  original: Invoice,
  { action, actor, invoiceNumber, credits }: Booked,
): Change {
  const at = changeMoment(now(), original)
  const detail = `credit note ${invoiceNumber}`
  const audit = auditEntry(action, { at, actor, invoiceId: original.id, detail })
  return { seen: original, write: { invoice: { ...original, credits, updatedAt: at }, audit } }
}
