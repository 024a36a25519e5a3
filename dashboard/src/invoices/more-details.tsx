import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { moreFields } from './draft'
import { SummaryItem } from './summary-item'

export function MoreDetails({ invoice }: { invoice: Invoice }) {
  const { draft } = useTexts()
  const formats = useFormats()
  const { buyerType, deliveryDate, servicePeriod, paymentAccount } = invoice
  const values: Partial<Record<(typeof shown)[number], string | null>> = {
    ...invoice,
    buyerType:
      buyerType === null ? null : draft.buyerTypes[buyerType as keyof typeof draft.buyerTypes],
    deliveryDate: deliveryDate && formats.date(deliveryDate),
    servicePeriod: servicePeriod && joinFilled(servicePeriod, ' – '),
    paymentAccount: paymentAccount && joinFilled(paymentAccount, ', '),
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

const shown = [...moreFields, 'servicePeriod', 'paymentAccount'] as const

const joinFilled = (fields: Readonly<Record<string, string | null>>, separator: string) =>
  Object.values(fields)
    .filter((value) => value !== null)
    .join(separator)
