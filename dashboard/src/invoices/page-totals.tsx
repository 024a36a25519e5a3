import { Text } from '@mantine/core'
import type { InvoicePage } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { sumByCurrency } from './page-sums'

export function PageTotals({ data: { content, totalPages } }: { data: InvoicePage }) {
  const { invoices } = useTexts()
  const formats = useFormats()
  const sums = sumByCurrency(content)
  if (sums.size === 0) return null
  const shown = [...sums].map(([currency, sum]) => formats.amount(sum, currency)).join(' + ')
  return (
    <Text size="sm" title={invoices.sumHint}>
      {totalPages > 1 ? invoices.sumOfPage(shown) : invoices.sum(shown)}
    </Text>
  )
}
