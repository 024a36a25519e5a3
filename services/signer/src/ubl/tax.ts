/**
 * Value added tax (EN 16931 BG-23, BG-30): category S for the rates of the law, E with its reason
 * for rate 0.
 *
 * One invoice has one breakdown for E (BR-E-01), and that holds one reason (UBL-SR-32): several
 * reasons are told in one text, and each line keeps its own as an item property.
 */

import type { Invoice, InvoiceLine, VatSubtotal } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'
import { profile, wording } from './profile'
import { isBlank, textElement } from './xml'

/** Which tax the numbers around it are about. */
export const taxScheme = `<cac:TaxScheme><cbc:ID>${profile.taxScheme}</cbc:ID></cac:TaxScheme>`

export function taxTotal(invoice: Invoice): string {
  return (
    '<cac:TaxTotal>' +
    amountElement('cbc:TaxAmount', invoice.amountVat, invoice.currency) +
    invoice.vatSubtotals.map((subtotal) => taxSubtotal(subtotal, invoice)).join('') +
    '</cac:TaxTotal>\n'
  )
}

function taxSubtotal({ vatRate, taxableAmount, vatAmount }: VatSubtotal, invoice: Invoice): string {
  const reason = vatRate === 0 ? exemptionReasons(invoice.lines) : ''
  return (
    '<cac:TaxSubtotal>' +
    amountElement('cbc:TaxableAmount', taxableAmount, invoice.currency) +
    amountElement('cbc:TaxAmount', vatAmount, invoice.currency) +
    taxCategory('cac:TaxCategory', vatRate, reason) +
    '</cac:TaxSubtotal>'
  )
}

/** The VAT of one line; the reason of an exemption has its place in the breakdown (UBL-CR-601). */
export function classifiedTaxCategory(vatRate: number): string {
  return taxCategory('cac:ClassifiedTaxCategory', vatRate, '')
}

/** Why this line is exempt, when the client said so. */
export function exemptionProperty({ vatRate, vatExemptionReason }: InvoiceLine): string {
  if (vatRate !== 0 || isBlank(vatExemptionReason)) return ''
  return (
    '<cac:AdditionalItemProperty>' +
    textElement('cbc:Name', wording.vatExemptionProperty) +
    textElement('cbc:Value', vatExemptionReason) +
    '</cac:AdditionalItemProperty>'
  )
}

function taxCategory(name: string, vatRate: number, exemptionReason: string): string {
  const reason = exemptionReason && textElement('cbc:TaxExemptionReason', exemptionReason)
  const code = vatRate === 0 ? 'E' : 'S'
  return `<${name}><cbc:ID>${code}</cbc:ID><cbc:Percent>${vatRate}</cbc:Percent>${reason}${taxScheme}</${name}>`
}

function exemptionReasons(lines: readonly InvoiceLine[]): string {
  const reasons = lines
    .filter(({ vatRate }) => vatRate === 0)
    .map(({ vatExemptionReason: reason }) => (isBlank(reason) ? wording.vatExemption : reason))
  return [...new Set(reasons)].join(' ; ')
}
