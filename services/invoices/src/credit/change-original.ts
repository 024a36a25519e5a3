import type { Credits, Invoice } from '@einvoicing/proto/invoice'
import { auditEntry } from '../audit'
import { changeMoment } from '../change-invoice'
import type { Deps } from '../deps'
import type { Change } from '../store/store'

interface Booked {
  action: 'invoice.credited' | 'invoice.credit-released'
  actor: string
  invoiceNumber: string
  credits: Credits
}

export function changeOriginal(
  { now }: Pick<Deps, 'now'>,
  original: Invoice,
  { action, actor, invoiceNumber, credits }: Booked,
): Change {
  const at = changeMoment(now(), original)
  const detail = `credit note ${invoiceNumber}`
  const audit = auditEntry(action, { at, actor, invoiceId: original.id, detail })
  const invoice = { ...original, credits, updatedAt: at }
  return { seen: original, write: { invoice, keepsLines: true, audit } }
}
