/**
 * Reads from a signed document what the platform judges: number, dates, parties, amounts.
 *
 * Refuses with `INVALID_XML` what is missing, doubled or not of its type. UBL 2.1 Invoice-2 and
 * CreditNote-2.
 */

import Big from 'big.js'
import type { Document, Element } from '@xmldom/xmldom'
import type { StatedAmounts, StatedLine, StatedSubtotal, VatCategory } from './amounts'
import { minorUnitDigits } from './minor-units'
import { Rejection } from './rejections'
import { childrenOf, textOf, type ElementName } from './xml'

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd'
const cbc = (local: string): ElementName => ({ namespace: `${ubl}:CommonBasicComponents-2`, local })
const cac = (local: string): ElementName => ({
  namespace: `${ubl}:CommonAggregateComponents-2`,
  local,
})

/** The two documents of the profile and what differs between them. */
const kinds = [
  { root: 'Invoice', line: 'InvoiceLine', quantity: 'InvoicedQuantity' },
  { root: 'CreditNote', line: 'CreditNoteLine', quantity: 'CreditedQuantity' },
] as const
type Kind = (typeof kinds)[number]

// A Decimal of XML Schema, bounded: longer literals only cost time.
const decimalLiteral = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})$/

export interface ReportedInvoice {
  number: string
  /** As written; whether the day exists is the verdict's business. */
  issueDate: string
  dueDate: string | undefined
  issuerIce: string
  buyerIce: string | undefined
  amounts: StatedAmounts
}

export function readInvoice(document: Document): ReportedInvoice {
  const root = document.documentElement
  const kind = kinds.find(
    (each) => each.root === root?.localName && root.namespaceURI === `${ubl}:${each.root}-2`,
  )
  if (!root || !kind) refuse(`the root element must be a UBL 2.1 Invoice or CreditNote`)
  // Not trimmed: two numbers that differ by a blank are two numbers.
  const number = one(root, cbc('ID')).textContent ?? ''
  if (number.trim() === '') refuse('ID is empty')
  return {
    number,
    issueDate: textOf(one(root, cbc('IssueDate'))),
    dueDate: optionalText(root, cbc('DueDate')),
    issuerIce: iceOf(one(root, cac('AccountingSupplierParty'))) ?? '',
    buyerIce: iceOf(one(root, cac('AccountingCustomerParty'))),
    amounts: readAmounts(root, kind),
  }
}

/** The first PartyIdentification; absent for a seller too, which is then not a known issuer. */
function iceOf(accountingParty: Element): string | undefined {
  const [identification] = childrenOf(
    one(accountingParty, cac('Party')),
    cac('PartyIdentification'),
  )
  return identification && textOf(one(identification, cbc('ID')))
}

function readAmounts(root: Element, kind: Kind): StatedAmounts {
  const currency = textOf(one(root, cbc('DocumentCurrencyCode')))
  if (!/^[A-Z]{3}$/.test(currency)) refuse(`DocumentCurrencyCode ${currency}`)
  const lines = childrenOf(root, cac(kind.line))
  if (lines.length === 0) refuse(`${kind.line} missing`)
  // With a tax currency there is a second TaxTotal, which has no subtotals.
  const taxTotals = childrenOf(root, cac('TaxTotal')).filter(
    (total) => childrenOf(total, cac('TaxSubtotal')).length > 0,
  )
  const [taxTotal, ...otherTotals] = taxTotals
  if (!taxTotal || otherTotals.length > 0) refuse('exactly one TaxTotal with subtotals is expected')
  const total = one(root, cac('LegalMonetaryTotal'))
  return {
    currency,
    lines: lines.map((line) => readLine(line, kind, currency)),
    subtotals: childrenOf(taxTotal, cac('TaxSubtotal')).map((each) => readSubtotal(each, currency)),
    vatTotal: amountOf(taxTotal, 'TaxAmount', currency),
    lineTotal: amountOf(total, 'LineExtensionAmount', currency),
    taxExclusive: amountOf(total, 'TaxExclusiveAmount', currency),
    taxInclusive: amountOf(total, 'TaxInclusiveAmount', currency),
    payable: amountOf(total, 'PayableAmount', currency),
  }
}

function readLine(line: Element, kind: Kind, currency: string): StatedLine {
  const price = one(line, cac('Price'))
  const unitPrice = one(price, cbc('PriceAmount'))
  requireCurrency(unitPrice, currency)
  const [baseQuantity] = childrenOf(price, cbc('BaseQuantity'))
  return {
    id: textOf(one(line, cbc('ID'))),
    quantity: decimalOf(one(line, cbc(kind.quantity))),
    unitPrice: decimalOf(unitPrice),
    priceBaseQuantity: baseQuantity ? decimalOf(baseQuantity) : new Big(1),
    amount: amountOf(line, 'LineExtensionAmount', currency),
    vat: readVat(one(one(line, cac('Item')), cac('ClassifiedTaxCategory'))),
  }
}

function readSubtotal(subtotal: Element, currency: string): StatedSubtotal {
  return {
    vat: readVat(one(subtotal, cac('TaxCategory'))),
    taxable: amountOf(subtotal, 'TaxableAmount', currency),
    tax: amountOf(subtotal, 'TaxAmount', currency),
  }
}

function readVat(category: Element): VatCategory {
  const [percent] = childrenOf(category, cbc('Percent'))
  return {
    code: textOf(one(category, cbc('ID'))),
    percent: percent ? decimalOf(percent) : new Big(0),
  }
}

function amountOf(parent: Element, local: string, currency: string): Big {
  const element = one(parent, cbc(local))
  requireCurrency(element, currency)
  const amount = decimalOf(element)
  if (!amount.round(minorUnitDigits(currency), 0).eq(amount)) {
    refuse(`${local} ${textOf(element)} is finer than the minor unit of ${currency}`)
  }
  return amount
}

function requireCurrency(amount: Element, currency: string): void {
  const stated = amount.getAttribute('currencyID')
  if (stated !== currency)
    refuse(`${amount.localName} is in ${stated}, the document in ${currency}`)
}

function decimalOf(element: Element): Big {
  const text = textOf(element)
  if (!decimalLiteral.test(text)) refuse(`${element.localName} ${text.slice(0, 40)} is no decimal`)
  return new Big(text.replace(/^\+/, ''))
}

function optionalText(parent: Element, name: ElementName): string | undefined {
  return childrenOf(parent, name).map(textOf)[0]
}

function one(parent: Element, name: ElementName): Element {
  const [element, ...others] = childrenOf(parent, name)
  if (!element || others.length > 0) {
    refuse(`exactly one ${name.local} is expected in ${parent.localName}`)
  }
  return element
}

function refuse(detail: string): never {
  throw new Rejection('INVALID_XML', detail)
}
