import { defaultExemptionReason } from '@einvoicing/profile/vat'
import { Text } from '@mantine/core'
import type { Invoice, InvoiceLine } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { DataTable, type Column } from '../components/data-table'
import classes from './detail.module.css'

export function InvoiceLines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  const { invoice } = useTexts()
  const formats = useFormats()
  const columns: Column<InvoiceLine>[] = [
    { label: '#', cell: ({ lineNumber }) => lineNumber },
    { label: invoice.description, isLong: true, cell: (line) => <Description line={line} /> },
    {
      label: invoice.quantity,
      isNumber: true,
      cell: ({ quantity, unit }) => (
        <>
          {formats.decimal(quantity)} {unit && <bdi>{unit}</bdi>}
        </>
      ),
    },
    {
      label: invoice.unitPrice,
      isNumber: true,
      cell: ({ unitPrice }) => formats.price(unitPrice, currency),
    },
    {
      label: invoice.vatRate,
      isNumber: true,
      cell: ({ vatRate }) => formats.percent(vatRate / 100),
    },
    {
      label: invoice.amountHt,
      isNumber: true,
      cell: ({ amountHt }) => formats.amount(amountHt, currency),
    },
  ]
  return (
    <DataTable
      caption={invoice.lines}
      columns={columns}
      rows={lines}
      getKey={({ lineNumber }) => lineNumber}
    />
  )
}

function Description({ line }: { line: InvoiceLine }) {
  const { invoice } = useTexts()
  return (
    <>
      <span className={classes['text']} dir="auto">
        {line.description}
      </span>
      {line.vatRate === 0 && (
        <Text size="xs" c="dimmed">
          {invoice.exempt(line.vatExemptionReason ?? defaultExemptionReason)}
        </Text>
      )}
    </>
  )
}
