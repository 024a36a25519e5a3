import { defaultExemptionReason } from '@einvoicing/profile/vat'
import { Text } from '@mantine/core'
import type { Invoice, InvoiceLine } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { DataTable, type Column } from '../components/data-table'
import classes from './detail.module.css'
import { formatPeriod } from './service-period'

export function InvoiceLines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  const { invoice } = useTexts()
  const formats = useFormats()
  const columns: Column<InvoiceLine>[] = [
    { label: '#', cell: ({ lineNumber }) => lineNumber },
    {
      label: invoice.description,
      isLong: true,
      cell: (line) => <Description line={line} currency={currency} />,
    },
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

interface DescriptionProps {
  line: InvoiceLine
  currency: string
}

function Description({ line, currency }: DescriptionProps) {
  const { credit, draft, invoice } = useTexts()
  const formats = useFormats()
  const { itemCode, orderLineNumber, note, servicePeriod } = line
  const details = [
    [credit.lineLabels.itemCode, itemCode],
    [credit.lineLabels.orderLineNumber, orderLineNumber],
    [credit.lineLabels.note, note],
    [draft.servicePeriod, servicePeriod && formatPeriod(servicePeriod, formats)],
  ]
  const adjustments = [
    ...(line.allowances ?? []).map((item) => ({ ...item, label: draft.allowances })),
    ...(line.charges ?? []).map((item) => ({ ...item, label: draft.charges })),
  ]
  return (
    <>
      <span className={classes['text']} dir="auto">
        {line.description}
      </span>
      {adjustments.map(({ label, reason, percent, amount }, index) => (
        <Text key={index} size="xs" c="dimmed">
          {label} : <bdi>{reason}</bdi>
          {percent !== null && ` (${formats.percent(percent / 100)})`},{' '}
          {formats.amount(amount, currency)}
        </Text>
      ))}
      {line.vatRate === 0 && (
        <Text size="xs" c="dimmed">
          {invoice.exempt(line.vatExemptionReason ?? defaultExemptionReason)}
        </Text>
      )}
      {details.map(
        ([label, text]) =>
          text && (
            <Text key={label} size="xs" c="dimmed" className={classes['text'] ?? ''}>
              {label} : <bdi>{text}</bdi>
            </Text>
          ),
      )}
    </>
  )
}
