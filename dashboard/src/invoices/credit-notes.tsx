import { isCreditable } from '@einvoicing/domain/creditable'
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { DataTable } from '../components/data-table'
import { StatusChip } from '../components/status-chip'
import classes from './detail.module.css'

export function CreditNotes({ invoice }: { invoice: Invoice }) {
  const { credit, invoices } = useTexts()
  const formats = useFormats()
  const { creditNotes, creditedTtc, amountTtc, vatBreakdown, currency } = invoice
  if (creditNotes.length === 0) return null
  // Parts may round to a cent more or less than their whole.
  const isWhole =
    isCreditable(invoice) && vatBreakdown.every(({ creditableAmount }) => creditableAmount === 0)
  const left = isWhole ? 0 : Math.max(0, amountTtc - creditedTtc)
  return (
    <section className="panel" aria-labelledby="credit-notes">
      <h2 className={classes['heading']} id="credit-notes">
        {credit.creditNotes}
      </h2>
      <DataTable
        caption={credit.creditNotes}
        columns={[
          {
            label: invoices.number,
            isLong: true,
            cell: ({ id, invoiceNumber }) => (
              <Anchor component={Link} href={`/invoices/${id}`} inherit>
                {invoiceNumber}
              </Anchor>
            ),
          },
          { label: invoices.status, cell: ({ status }) => <StatusChip status={status} /> },
          {
            label: invoices.ttc,
            isNumber: true,
            cell: (note) => formats.amount(note.amountTtc, currency),
          },
        ]}
        rows={creditNotes}
        getKey={({ id }) => id}
      />
      <Text size="sm" mt="sm">
        {credit.credited(formats.amount(creditedTtc, currency))} ·{' '}
        {credit.left(formats.amount(left, currency))}
      </Text>
    </section>
  )
}
