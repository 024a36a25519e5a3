import { isBlank } from '@einvoicing/domain/xml-text'
import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import { findUnitCode, unspecifiedUnit } from '@einvoicing/profile/units'
import { writeLineNote } from '@einvoicing/profile/line-note'
import type { InvoiceLine } from '@einvoicing/proto/invoice'
import { lineAllowanceCharges } from './allowance-charge'
import { amountElement } from './amount'
import { invoicePeriod } from './references'
import { classifiedTaxCategory, exemptionProperty } from './tax'
import { optionalTextElement, textElement } from './xml'

/** EN 16931 BG-25: quantity and price as exact as the client gave them, the amount as rounded. */
export function writeLine(line: InvoiceLine, kind: DocumentKind, currency: string): string {
  const { lineElement, quantityElement } = kind
  const code = isBlank(line.unit) ? unspecifiedUnit : findUnitCode(line.unit)
  const unit = code === undefined ? line.unit : undefined
  return (
    `<cac:${lineElement}><cbc:ID>${line.lineNumber}</cbc:ID>` +
    optionalTextElement('cbc:Note', writeLineNote(unit, line.note)) +
    `<cbc:${quantityElement} unitCode="${code ?? unspecifiedUnit}">${line.quantity}</cbc:${quantityElement}>` +
    amountElement('cbc:LineExtensionAmount', line.amountHt, currency) +
    invoicePeriod(line.servicePeriod) +
    wrapped('cac:OrderLineReference', optionalTextElement('cbc:LineID', line.orderLineNumber)) +
    lineAllowanceCharges(line, currency) +
    '<cac:Item>' +
    textElement('cbc:Name', line.description) +
    wrapped('cac:SellersItemIdentification', optionalTextElement('cbc:ID', line.itemCode)) +
    classifiedTaxCategory(line) +
    exemptionProperty(line) +
    '</cac:Item>' +
    `<cac:Price><cbc:PriceAmount currencyID="${currency}">${line.unitPrice}</cbc:PriceAmount></cac:Price>` +
    `</cac:${lineElement}>\n`
  )
}

const wrapped = (name: string, content: string) => content && `<${name}>${content}</${name}>`
