import type { AllowanceCharges, Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import { frenchAmount } from '../french/format'

export interface TotalRow {
  label: string
  amount: number
  isMain?: boolean
}

/** Above and below « Total TTC », without what the invoice does not have. */
export function totalRows(invoice: Invoice): TotalRow[] {
  const { amountHt, amountVat, amountTtc, lineTotalHt, amountDue } = invoice
  const optional = (label: string, amount: number | undefined) =>
    amount ? [{ label, amount }] : []
  return [
    ...optional('Total des lignes', lineTotalHt),
    ...optional('Remises', invoice.allowanceTotal && -invoice.allowanceTotal),
    ...optional('Frais', invoice.chargeTotal),
    { label: 'Total HT', amount: amountHt },
    { label: 'Total TVA', amount: amountVat },
    { label: 'Total TTC', amount: amountTtc, isMain: true },
    ...(amountDue === undefined
      ? []
      : [
          { label: 'Déjà réglé', amount: amountDue - amountTtc },
          { label: 'Net à payer', amount: amountDue },
        ]),
  ]
}

/** One for each allowance and charge, with its reason. */
export function allowanceSentences(invoice: Pick<Invoice, 'currency'> & Adjusted): string[] {
  const write = (sent: AllowanceCharges | undefined, label: string) =>
    (sent?.items ?? []).map(({ percent, reason, shares }) => {
      const amount = shares.reduce((sum, share) => sum + share.amount, 0)
      const rate = percent === undefined ? '' : ` (${percent.replace('.', ',')} %)`
      return `${label} : ${reason}${rate}, ${frenchAmount(amount, invoice.currency)}`
    })
  return [...write(invoice.allowances, 'Remise'), ...write(invoice.charges, 'Frais')]
}

type Adjusted = Pick<InvoiceLine, 'allowances' | 'charges'>
