import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import type { DocumentTotals } from '@einvoicing/domain/document-totals'
import { readKind } from '@einvoicing/profile/document-kinds'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { listPaymentRows, type Row } from './payment-rows'
import classes from './detail.module.css'

export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const { currency, vatBreakdown, stampDutyAmount, vatWithheldAmount } = invoice
  const toMinorUnits = (amount: number) =>
    Decimal.fromNumber(amount).toMinorUnits(minorUnitDigits(currency))
  const subtotals = vatBreakdown.map(({ vatRate, taxableAmount, vatAmount }) => ({
    vatRate,
    taxable: toMinorUnits(taxableAmount),
    vat: toMinorUnits(vatAmount),
  }))
  const { lineTotalHt, allowanceTotal, chargeTotal, amountDue } = invoice
  return (
    <DocumentTotalsTable
      currency={currency}
      totals={{
        isPaid: readKind(invoice).isPaid,
        subtotals,
        lineTotal: toMinorUnits(lineTotalHt),
        allowanceTotal: toMinorUnits(allowanceTotal),
        chargeTotal: toMinorUnits(chargeTotal),
        amountHt: toMinorUnits(invoice.amountHt),
        amountTtc: toMinorUnits(invoice.amountTtc),
        amountDue: toMinorUnits(amountDue),
        stampDutyAmount: toMinorUnits(stampDutyAmount ?? 0),
        vatWithheldAmount: toMinorUnits(vatWithheldAmount ?? 0),
      }}
    />
  )
}

type ShownTotals = Pick<
  DocumentTotals,
  | 'lineTotal'
  | 'allowanceTotal'
  | 'chargeTotal'
  | 'amountHt'
  | 'amountTtc'
  | 'amountDue'
  | 'stampDutyAmount'
  | 'vatWithheldAmount'
> & {
  isPaid: boolean
  subtotals: Pick<DocumentTotals['subtotals'][number], 'vatRate' | 'taxable' | 'vat'>[]
}

interface DocumentTotalsProps {
  currency: string
  totals: ShownTotals
}

export function DocumentTotalsTable({ currency, totals }: DocumentTotalsProps) {
  const { credit, invoice: texts } = useTexts()
  const { lineTotal, allowanceTotal, chargeTotal } = totals
  const before = [
    { label: texts.lineTotal, amount: lineTotal },
    ...(allowanceTotal > 0n ? [{ label: texts.allowanceTotal, amount: -allowanceTotal }] : []),
    ...(chargeTotal > 0n ? [{ label: texts.chargeTotal, amount: chargeTotal }] : []),
  ]
  return (
    <TotalsTable
      currency={currency}
      totals={totals}
      before={before.length > 1 ? before : []}
      after={listPaymentRows(totals, { credit, invoice: texts })}
    />
  )
}

interface TotalsTableProps {
  currency: string
  totals: Pick<ShownTotals, 'subtotals' | 'amountHt' | 'amountTtc'>
  before?: readonly Row[]
  after?: readonly Row[]
}

function TotalsTable({ currency, totals, before = [], after = [] }: TotalsTableProps) {
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
