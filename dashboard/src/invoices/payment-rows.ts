import type { DocumentTotals } from '@einvoicing/domain/document-totals'
import type { Catalogue } from '../i18n/catalogue'

export interface Row {
  label: string
  amount: bigint
}

type Payment = Pick<
  DocumentTotals,
  'amountTtc' | 'amountDue' | 'stampDutyAmount' | 'vatWithheldAmount'
> & { isPaid: boolean }
type Texts = Pick<Catalogue, 'credit' | 'invoice'>

/** Below the total including VAT; the last is what is left to pay or to credit, as on the PDF. */
export function listPaymentRows(totals: Payment, { credit, invoice }: Texts): Row[] {
  const { amountTtc, amountDue, stampDutyAmount: duty, vatWithheldAmount: withheld } = totals
  const { due, afterWithholding } = totals.isPaid
    ? { ...credit, due: invoice.due }
    : { due: credit.netCredit, afterWithholding: credit.netCreditAfterWithholding }
  const hasOneNet = duty > 0n && withheld > 0n
  const rows: Row[] = []
  const add = (label: string, amount: bigint) => rows.push({ label, amount })
  if (amountDue !== amountTtc) {
    add(invoice.prepaid, amountDue - amountTtc)
    if (!hasOneNet) add(due, amountDue)
  }
  if (duty > 0n) add(credit.stampDutyTotal, duty)
  if (withheld > 0n) add(credit.withheld, -withheld)
  const net = amountDue + duty - withheld
  if (hasOneNet) add(credit.dueInCashAfterWithholding, net)
  else if (duty > 0n) add(credit.dueInCash, net)
  else if (withheld > 0n) add(afterWithholding, net)
  return rows
}
