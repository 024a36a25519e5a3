import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'

export function PrecedingInvoices({ invoice }: { invoice: Invoice }) {
  const { draft } = useTexts()
  const formats = useFormats()
  if (!invoice.precedingInvoices) return null
  return (
    <div>
      <dt>{draft.precedingInvoices}</dt>
      <dd>
        {invoice.precedingInvoices.map(({ id, invoiceNumber, invoiceDate }) => (
          <span key={invoiceNumber}>
            {id === null ? (
              <bdi>{invoiceNumber}</bdi>
            ) : (
              <Anchor component={Link} href={`/invoices/${id}`} inherit>
                {invoiceNumber}
              </Anchor>
            )}
            , {formats.date(invoiceDate)}
          </span>
        ))}
      </dd>
    </div>
  )
}
