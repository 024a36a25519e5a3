import type { Invoice } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'

/** EN 16931 BG-22. Without allowances, charges and advances, the amount due is the total. */
export function legalMonetaryTotal({ amountHt, amountTtc, currency }: Invoice): string {
  return (
    '<cac:LegalMonetaryTotal>' +
    amountElement('cbc:LineExtensionAmount', amountHt, currency) +
    amountElement('cbc:TaxExclusiveAmount', amountHt, currency) +
    amountElement('cbc:TaxInclusiveAmount', amountTtc, currency) +
    amountElement('cbc:PayableAmount', amountTtc, currency) +
    '</cac:LegalMonetaryTotal>\n'
  )
}
