import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { moreFields } from './draft'
import { formatPeriod } from './service-period'
import { SummaryItem } from './summary-item'

export function MoreDetails({ invoice }: { invoice: Invoice }) {
  const { draft } = useTexts()
  const formats = useFormats()
  const { buyerType, deliveryDate, servicePeriod, paymentAccount } = invoice
  const format = (amount: number) => formats.amount(amount, invoice.currency)
  const joinAllowances = (sent: Invoice['allowances']) =>
    sent?.map(({ reason, amount }) => `${reason} : ${format(amount)}`).join(', ') ?? null
  const values: Partial<Record<(typeof shown)[number], string | null>> = {
    ...invoice,
    buyerType:
      buyerType === null ? null : draft.buyerTypes[buyerType as keyof typeof draft.buyerTypes],
    deliveryDate: deliveryDate && formats.date(deliveryDate),
    servicePeriod: servicePeriod && formatPeriod(servicePeriod, formats),
    paymentAccount: paymentAccount && joinFilled(paymentAccount),
    allowances: joinAllowances(invoice.allowances),
    charges: joinAllowances(invoice.charges),
    prepaidAmount: invoice.prepaidAmount === null ? null : format(invoice.prepaidAmount),
    stampDuty: invoice.stampDutyAmount === null ? null : format(invoice.stampDutyAmount),
    vatWithholdingPercent:
      invoice.vatWithheldAmount === null ? null : format(invoice.vatWithheldAmount),
  }
  return shown.map((name) => {
    const value = values[name]
    if (!value) return null
    return (
      <SummaryItem key={name} label={draft[name]}>
        {value}
      </SummaryItem>
    )
  })
}

const shown = [
  'correctionReason',
  ...moreFields,
  'servicePeriod',
  'paymentAccount',
  'allowances',
  'charges',
  'prepaidAmount',
  'stampDuty',
  'vatWithholdingPercent',
] as const

const joinFilled = (fields: Readonly<Record<string, string | null>>) =>
  Object.values(fields)
    .filter((value) => value !== null)
    .join(', ')
