import { Text } from '@mantine/core'
import type { InvoicePage } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'

/** Without cancelled and rejected ones, by currency: invoices minus credit notes. */
export function PageTotals({ data: { content, totalPages } }: { data: InvoicePage }) {
  const { invoices } = useTexts()
  const formats = useFormats()
  const sums = new Map<string, number>()
  for (const { status, currency, amountTtc, type } of content) {
    if (status === 'CANCELLED' || status === 'REJECTED') continue
    sums.set(
      currency,
      (sums.get(currency) ?? 0) + (type === 'CREDIT_NOTE' ? -amountTtc : amountTtc),
    )
  }
  if (sums.size === 0) return null
  const shown = [...sums].map(([currency, sum]) => formats.amount(sum, currency)).join(' + ')
  return (
    <Text size="sm" title={invoices.sumHint}>
      {totalPages > 1 ? invoices.sumOfPage(shown) : invoices.sum(shown)}
    </Text>
  )
}
