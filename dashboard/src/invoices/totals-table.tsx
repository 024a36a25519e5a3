import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import type { Totals } from '@einvoicing/domain/totals'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import classes from './detail.module.css'

export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
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
  const row = (label: string, amount: number) => ({ label, amount: toMinorUnits(amount) })
  const { lineTotalHt, allowanceTotal, chargeTotal, prepaidAmount, amountDue } = invoice
  const before = [
    row(texts.lineTotal, lineTotalHt),
    ...(allowanceTotal > 0 ? [row(texts.allowanceTotal, -allowanceTotal)] : []),
    ...(chargeTotal > 0 ? [row(texts.chargeTotal, chargeTotal)] : []),
  ]
  const after = prepaidAmount ? [row(texts.prepaid, -prepaidAmount), row(texts.due, amountDue)] : []
  return (
    <TotalsTable
      currency={currency}
      totals={{ subtotals, amountHt, amountTtc }}
      before={before.length > 1 ? before : []}
      after={after}
    />
  )
}

interface Row {
  label: string
  /** Minor units. */
  amount: bigint
}

export interface TotalsTableProps {
  currency: string
  totals: Omit<Totals, 'amountVat'>
  before?: readonly Row[]
  after?: readonly Row[]
}

export function TotalsTable({ currency, totals, before = [], after = [] }: TotalsTableProps) {
  const { invoice } = useTexts()
  const formats = useFormats()
  const format = (units: bigint) => formats.minorUnits(units, currency)
  const toRow = ({ label, amount }: Row) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      <td>{format(amount)}</td>
    </tr>
  )
  return (
    <table className={classes['totals']}>
      <caption className="visually-hidden">{invoice.totals}</caption>
      <tbody>
        {before.map(toRow)}
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
        {after.map(toRow)}
      </tbody>
    </table>
  )
}
