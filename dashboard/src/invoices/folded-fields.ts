import { moreFields, type TypedDraft } from './draft'

const folded = new RegExp(
  `^(${[...moreFields, 'servicePeriod', 'paymentAccount', 'prepaidAmount', 'stampDuty', 'vatWithholdingPercent', 'precedingInvoices'].join('|')})\\b`,
)

export const isFoldedField = (path: string): boolean => folded.test(path)

export function hasFoldedField({ type, precedingInvoices, ...typed }: TypedDraft): boolean {
  const values = Object.entries(typed).filter(([path]) => isFoldedField(path))
  return (
    (type !== 'CREDIT_NOTE' && precedingInvoices.length > 0) ||
    values.some(([, value]) => value !== '' && value !== false)
  )
}
