/**
 * One line (EN 16931 BG-25): quantity and price as exact as the client gave them, the amount as it
 * was rounded.
 */

import { Decimal } from '@einvoicing/domain/decimal'
import type { InvoiceLine } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'
import { classifiedTaxCategory, exemptionProperty } from './tax'
import { unitCode } from './units'
import { isBlank, optionalTextElement, textElement } from './xml'

export function invoiceLine(line: InvoiceLine, currency: string): string {
  const code = isBlank(line.unit) ? 'C62' : unitCode(line.unit)
  return (
    `<cac:InvoiceLine><cbc:ID>${line.lineNumber}</cbc:ID>` +
    optionalTextElement('cbc:Note', code === undefined ? line.unit : undefined) +
    `<cbc:InvoicedQuantity unitCode="${code ?? 'C62'}">${plain(line.quantity)}</cbc:InvoicedQuantity>` +
    amountElement('cbc:LineExtensionAmount', line.amountHt, currency) +
    '<cac:Item>' +
    textElement('cbc:Name', line.description) +
    classifiedTaxCategory(line.vatRate) +
    exemptionProperty(line) +
    '</cac:Item>' +
    `<cac:Price><cbc:PriceAmount currencyID="${currency}">${plain(line.unitPrice)}</cbc:PriceAmount></cac:Price>` +
    '</cac:InvoiceLine>\n'
  )
}

// xsd:decimal knows no exponent.
function plain(decimal: string): string {
  return Decimal.parse(decimal).toString()
}
