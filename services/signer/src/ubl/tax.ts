/**
 * EN 16931 BG-23, BG-30. One breakdown for the category E (BR-E-01) holds one reason (UBL-SR-32):
 * several are joined, and each line has its own as an item property.
 */

import { isBlank } from '@einvoicing/domain/xml-text'
import { taxScheme } from '@einvoicing/profile/identifiers'
import {
  defaultExemptionReason,
  exemptionPropertyName,
  toVatCategory,
} from '@einvoicing/profile/vat'
import type { Invoice, InvoiceLine, VatSubtotal } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'
import { textElement } from './xml'

export const taxSchemeElement = `<cac:TaxScheme><cbc:ID>${taxScheme}</cbc:ID></cac:TaxScheme>`

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

/** The reason of an exemption belongs to the breakdown, not here (UBL-CR-601). */
export function classifiedTaxCategory(vatRate: number): string {
  return taxCategory('cac:ClassifiedTaxCategory', vatRate, '')
}

export function exemptionProperty({ vatRate, vatExemptionReason }: InvoiceLine): string {
  if (vatRate !== 0 || isBlank(vatExemptionReason)) return ''
  return (
    '<cac:AdditionalItemProperty>' +
    textElement('cbc:Name', exemptionPropertyName) +
    textElement('cbc:Value', vatExemptionReason) +
    '</cac:AdditionalItemProperty>'
  )
}

function taxCategory(name: string, vatRate: number, exemptionReason: string): string {
  const reason = exemptionReason && textElement('cbc:TaxExemptionReason', exemptionReason)
  return `<${name}><cbc:ID>${toVatCategory(vatRate)}</cbc:ID><cbc:Percent>${vatRate}</cbc:Percent>${reason}${taxSchemeElement}</${name}>`
}

function exemptionReasons(lines: readonly InvoiceLine[]): string {
  const reasons = lines
    .filter(({ vatRate }) => vatRate === 0)
    .map(({ vatExemptionReason: reason }) => (isBlank(reason) ? defaultExemptionReason : reason))
  return [...new Set(reasons)].join(' ; ')
}
