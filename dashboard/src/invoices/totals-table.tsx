import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import type { Totals } from '@einvoicing/domain/totals'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import classes from './detail.module.css'

export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const { currency, vatBreakdown } = invoice
  const toMinorUnits = (amount: number) =>
    Decimal.fromNumber(amount).toMinorUnits(minorUnitDigits(currency))
  const subtotals = vatBreakdown.map(({ vatRate, taxableAmount, vatAmount }) => ({
    vatRate,
    taxable: toMinorUnits(taxableAmount),
    vat: toMinorUnits(vatAmount),
  }))
  const amountHt = toMinorUnits(invoice.amountHt)
  const amountTtc = toMinorUnits(invoice.amountTtc)
  return <TotalsTable currency={currency} totals={{ subtotals, amountHt, amountTtc }} />
}

export interface TotalsTableProps {
  currency: string
  totals: Omit<Totals, 'amountVat'>
}

export function TotalsTable({ currency, totals }: TotalsTableProps) {
  const { invoice } = useTexts()
  const formats = useFormats()
  const format = (units: bigint) => formats.minorUnits(units, currency)
  return (
    <table className={classes['totals']}>
      <caption className="visually-hidden">{invoice.totals}</caption>
      <tbody>
        <tr>
          <th scope="row">{invoice.ht}</th>
          <td>{format(totals.amountHt)}</td>
        </tr>
        {totals.subtotals.map(({ vatRate, taxable, vat }, index) => (
          <tr key={index}>
            <th scope="row">
              {invoice.vatAt(formats.percent(vatRate / 100))}{' '}
              <span className={classes['base']}>{invoice.onBase(format(taxable))}</span>
            </th>
            <td>{format(vat)}</td>
          </tr>
        ))}
        <tr className={classes['ttc']}>
          <th scope="row">{invoice.ttc}</th>
          <td>{format(totals.amountTtc)}</td>
        </tr>
      </tbody>
    </table>
  )
}
