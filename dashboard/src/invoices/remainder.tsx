import { Text } from '@mantine/core'
import { useDeferredValue, useMemo } from 'react'
import { useInvoices } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useLanguage } from '../i18n/texts'
import { DataTable } from '../components/data-table'
import { computeRemainders } from './credit-remainder'
import type { TypedDraft } from './draft'
import classes from './editor.module.css'
import { previewTotals } from './preview-totals'

/** A preview; the service decides when the credit note is signed. */
export function Remainder({ values }: { values: TypedDraft }) {
  const { language, texts } = useLanguage()
  const formats = useFormats()
  const settled = useDeferredValue(values)
  const { subtotals } = useMemo(() => previewTotals(settled, language), [settled, language])
  const originals = useInvoices(values.precedingInvoices.flatMap(({ id }) => id ?? []))
  const rows = computeRemainders(originals, subtotals)
  if (rows.length === 0) return null
  const { credit } = texts
  const amount = (units: bigint) => formats.minorUnits(units, values.currency)
  return (
    <div className={classes['remainder']}>
      <Text size="sm" fw={600}>
        {credit.remainder}
      </Text>
      <DataTable
        caption={credit.remainder}
        columns={[
          {
            label: credit.rate,
            cell: ({ vatRate, vatCategory }) =>
              `${formats.percent(vatRate / 100)}${vatRate === 0 ? ` (${vatCategory})` : ''}`,
          },
          { label: credit.invoiced, isNumber: true, cell: ({ invoiced }) => amount(invoiced) },
          { label: credit.already, isNumber: true, cell: ({ credited }) => amount(credited) },
          { label: credit.thisNote, isNumber: true, cell: ({ draft }) => amount(draft) },
          {
            label: credit.rest,
            isNumber: true,
            cell: ({ left }) => (
              <Text span inherit fw={600} {...(left < 0n && { c: 'red' })}>
                {amount(left)}
              </Text>
            ),
          },
        ]}
        rows={rows}
        getKey={({ vatRate, vatCategory }) => `${vatRate} ${vatCategory}`}
      />
      <Text size="sm" c="red" role="status">
        {rows.some(({ left }) => left < 0n) ? credit.exceeds : ''}
      </Text>
    </div>
  )
}
