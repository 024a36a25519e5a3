/**
 * The sums of the invoice (EN 16931 BG-22); nothing is allowed, charged or paid in advance, so due
 * is what it totals.
 */

import type { Invoice } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'

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
