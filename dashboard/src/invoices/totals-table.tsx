/** HT, VAT of each rate, TTC. The three totals are the service's; the VAT of each rate follows. */

import type { Invoice } from '../api/invoice'
import { minorUnitDigits } from '../i18n/currencies'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import classes from './detail.module.css'
import { fromMinorUnits, toMinorUnits, totalsOf, type RateTotal } from './totals'

export function TotalsTable({ invoice }: { invoice: Invoice }) {
  const { currency, amountHt, amountTtc, lines } = invoice
  const digits = minorUnitDigits(currency)
  const { rates } = totalsOf(
    lines.map((line) => ({
      vatRate: line.vatRate,
      amount: toMinorUnits(line.amountHt, digits),
    })),
  )
  return <ShownTotals currency={currency} ht={amountHt} ttc={amountTtc} rates={rates} />
}

export interface ShownTotalsProps {
  currency: string
  ht: number
  ttc: number
  rates: readonly RateTotal[]
}

export function ShownTotals({ currency, ht, ttc, rates }: ShownTotalsProps) {
  const { invoice } = useTexts()
  const formats = useFormats()
  const digits = minorUnitDigits(currency)
  const amount = (units: bigint) => formats.amount(fromMinorUnits(units, digits), currency)
  return (
    <table className={classes['totals']}>
      <caption className="visually-hidden">{invoice.totals}</caption>
      <tbody>
        <tr>
          <th scope="row">{invoice.ht}</th>
          <td>{formats.amount(ht, currency)}</td>
        </tr>
        {rates.map(({ vatRate, taxable, vat }) => (
          <tr key={vatRate}>
            <th scope="row">
              {invoice.vatAt(formats.percent(vatRate / 100))}{' '}
              <span className={classes['base']}>{invoice.onBase(amount(taxable))}</span>
            </th>
            <td>{amount(vat)}</td>
          </tr>
        ))}
        <tr className={classes['ttc']}>
          <th scope="row">{invoice.ttc}</th>
          <td>{formats.amount(ttc, currency)}</td>
        </tr>
      </tbody>
    </table>
  )
}
