import { isBlank } from '@einvoicing/domain/xml-text'
import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import { findUnitCode, unspecifiedUnit } from '@einvoicing/profile/units'
import type { InvoiceLine } from '@einvoicing/proto/invoice'
import { amountElement } from './amount'
import { classifiedTaxCategory, exemptionProperty } from './tax'
import { optionalTextElement, textElement } from './xml'

/** EN 16931 BG-25: quantity and price as exact as the client gave them, the amount as rounded. */
export function writeLine(line: InvoiceLine, kind: DocumentKind, currency: string): string {
  const { lineElement, quantityElement } = kind
  const code = isBlank(line.unit) ? unspecifiedUnit : findUnitCode(line.unit)
  return (
    `<cac:${lineElement}><cbc:ID>${line.lineNumber}</cbc:ID>` +
    optionalTextElement('cbc:Note', code === undefined ? line.unit : undefined) +
    `<cbc:${quantityElement} unitCode="${code ?? unspecifiedUnit}">${line.quantity}</cbc:${quantityElement}>` +
    amountElement('cbc:LineExtensionAmount', line.amountHt, currency) +
    '<cac:Item>' +
    textElement('cbc:Name', line.description) +
    classifiedTaxCategory(line.vatRate) +
    exemptionProperty(line) +
    '</cac:Item>' +
    `<cac:Price><cbc:PriceAmount currencyID="${currency}">${line.unitPrice}</cbc:PriceAmount></cac:Price>` +
    `</cac:${lineElement}>\n`
  )
}
