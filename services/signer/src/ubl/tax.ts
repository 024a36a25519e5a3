/** EN 16931 BG-23, BG-30. Category E has one breakdown (BR-E-01) and one reason (UBL-SR-32). */

import { isBlank } from '@einvoicing/domain/xml-text'
import { taxScheme } from '@einvoicing/profile/identifiers'
import {
  exemptionPropertyName,
  findVatCategory,
  joinExemptionReasons,
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

function taxSubtotal(subtotal: VatSubtotal, { currency, lines }: Invoice): string {
  const reason = joinExemptionReasons(findVatCategory(subtotal), lines)
  return (
    '<cac:TaxSubtotal>' +
    amountElement('cbc:TaxableAmount', subtotal.taxableAmount, currency) +
    amountElement('cbc:TaxAmount', subtotal.vatAmount, currency) +
    taxCategory('cac:TaxCategory', subtotal, reason) +
    '</cac:TaxSubtotal>'
  )
}

type Categorized = Pick<VatSubtotal, 'vatRate' | 'vatCategory'>

/** The reason of an exemption belongs to the breakdown, not here (UBL-CR-601). */
export function classifiedTaxCategory(line: Categorized): string {
  return taxCategory('cac:ClassifiedTaxCategory', line, '')
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

/** Outside the scope of VAT there is no rate (BR-O-05). */
export function taxCategory(name: string, taxed: Categorized, exemptionReason: string): string {
  const category = findVatCategory(taxed)
  const percent = category === 'O' ? '' : `<cbc:Percent>${taxed.vatRate}</cbc:Percent>`
  const reason = exemptionReason && textElement('cbc:TaxExemptionReason', exemptionReason)
  return `<${name}><cbc:ID>${category}</cbc:ID>${percent}${reason}${taxSchemeElement}</${name}>`
}
