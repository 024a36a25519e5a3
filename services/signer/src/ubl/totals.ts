import type { Invoice } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'

/** EN 16931 BG-22. */
export function legalMonetaryTotal(invoice: Invoice): string {
  const { amountHt, amountTtc, lineTotalHt = amountHt, amountDue = amountTtc, currency } = invoice
  const optional = (name: string, amount: number | undefined) =>
    amount === undefined ? '' : amountElement(name, amount, currency)
  const prepaid = invoice.amountDue === undefined ? undefined : amountTtc - invoice.amountDue
  return (
    '<cac:LegalMonetaryTotal>' +
    amountElement('cbc:LineExtensionAmount', lineTotalHt, currency) +
    amountElement('cbc:TaxExclusiveAmount', amountHt, currency) +
    amountElement('cbc:TaxInclusiveAmount', amountTtc, currency) +
    optional('cbc:AllowanceTotalAmount', invoice.allowances && invoice.allowanceTotal) +
    optional('cbc:ChargeTotalAmount', invoice.charges && invoice.chargeTotal) +
    optional('cbc:PrepaidAmount', prepaid) +
    amountElement('cbc:PayableAmount', amountDue, currency) +
    '</cac:LegalMonetaryTotal>\n'
  )
}
