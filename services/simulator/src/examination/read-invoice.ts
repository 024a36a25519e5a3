import Big from 'big.js'
import type { Document, Element } from '@xmldom/xmldom'
import type {
  StatedAdjustment,
  StatedAmounts,
  StatedLine,
  StatedSubtotal,
  VatCategory,
} from './amounts'
import { minorUnitDigits } from './minor-units'
import { Rejection } from '../rejections'
import { childrenNamed, readText, type ElementName } from './parse-xml'

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd'
const cbc = (local: string): ElementName => ({ namespace: `${ubl}:CommonBasicComponents-2`, local })
const cac = (local: string): ElementName => ({
  namespace: `${ubl}:CommonAggregateComponents-2`,
  local,
})

const kinds = [
  {
    root: 'Invoice',
    line: 'InvoiceLine',
    quantity: 'InvoicedQuantity',
    type: 'InvoiceTypeCode',
    codes: ['380', '386'],
  },
  {
    root: 'CreditNote',
    line: 'CreditNoteLine',
    quantity: 'CreditedQuantity',
    type: 'CreditNoteTypeCode',
    codes: ['381'],
  },
] as const
type Kind = (typeof kinds)[number]
export type TypeCode = Kind['codes'][number]

// A decimal of XML Schema, bounded: longer literals only cost time.
const decimalLiteral = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})$/

export interface ReportedInvoice {
  number: string
  /** UNCL 1001. */
  typeCode: TypeCode
  preceding: string[]
  /** As written: the day may not exist. */
  issueDate: string
  dueDate: string | undefined
  issuerIce: string
  issuerName: string | undefined
  buyerIce: string | undefined
  amounts: StatedAmounts
}

/** Throws `INVALID_XML` for elements that are missing, repeated or not of their type. */
export function readInvoice(document: Document): ReportedInvoice {
  const root = document.documentElement
  const kind = kinds.find(
    (each) => each.root === root?.localName && root.namespaceURI === `${ubl}:${each.root}-2`,
  )
  if (!root || !kind) reject(`the root element must be a UBL 2.1 Invoice or CreditNote`)
  // Not trimmed: numbers may differ in a blank only.
  const number = requireOne(root, cbc('ID')).textContent ?? ''
  if (number.trim() === '') reject('ID is empty')
  return {
    number,
    typeCode: readTypeCode(root, kind),
    preceding: readPreceding(root, kind),
    issueDate: readText(requireOne(root, cbc('IssueDate'))),
    dueDate: optionalText(root, cbc('DueDate')),
    issuerIce: findIce(requireOne(root, cac('AccountingSupplierParty'))) ?? '',
    issuerName: findName(requireOne(root, cac('AccountingSupplierParty'))),
    buyerIce: findIce(requireOne(root, cac('AccountingCustomerParty'))),
    amounts: readAmounts(root, kind),
  }
}

function readTypeCode(root: Element, kind: Kind): TypeCode {
  const stated = optionalText(root, cbc(kind.type))
  const codes: readonly TypeCode[] = kind.codes
  const code = stated === undefined ? codes[0] : codes.find((each) => each === stated)
  return code ?? reject(`${kind.type} must be ${codes.join(' or ')}: ${stated}`)
}

function readPreceding(root: Element, kind: Kind): string[] {
  const preceding = childrenNamed(root, cac('BillingReference')).map((reference) => {
    const document = requireOne(reference, cac('InvoiceDocumentReference'))
    return requireOne(document, cbc('ID')).textContent ?? ''
  })
  if (kind.root === 'CreditNote' && preceding.length === 0) {
    reject('a CreditNote must refer to an invoice in BillingReference')
  }
  return preceding
}

/** Absent also for a seller, who is then not a known issuer. */
function findIce(accountingParty: Element): string | undefined {
  const [identification] = childrenNamed(
    requireOne(accountingParty, cac('Party')),
    cac('PartyIdentification'),
  )
  return identification && readText(requireOne(identification, cbc('ID')))
}

function findName(accountingParty: Element): string | undefined {
  const [entity] = childrenNamed(requireOne(accountingParty, cac('Party')), cac('PartyLegalEntity'))
  return entity && optionalText(entity, cbc('RegistrationName'))
}

function readAmounts(root: Element, kind: Kind): StatedAmounts {
  const currency = readText(requireOne(root, cbc('DocumentCurrencyCode')))
  if (!/^[A-Z]{3}$/.test(currency)) reject(`DocumentCurrencyCode ${currency}`)
  const lines = childrenNamed(root, cac(kind.line))
  if (lines.length === 0) reject(`${kind.line} missing`)
  // With a tax currency there is a second TaxTotal, which has no subtotals.
  const taxTotals = childrenNamed(root, cac('TaxTotal')).filter(
    (total) => childrenNamed(total, cac('TaxSubtotal')).length > 0,
  )
  const [taxTotal, ...otherTotals] = taxTotals
  if (!taxTotal || otherTotals.length > 0) reject('exactly one TaxTotal with subtotals is expected')
  const total = requireOne(root, cac('LegalMonetaryTotal'))
  return {
    currency,
    lines: lines.map((line) => readLine(line, kind, currency)),
    adjustments: readAdjustments(root, currency),
    subtotals: childrenNamed(taxTotal, cac('TaxSubtotal')).map((each) =>
      readSubtotal(each, currency),
    ),
    vatTotal: readAmount(taxTotal, 'TaxAmount', currency),
    lineTotal: readAmount(total, 'LineExtensionAmount', currency),
    taxExclusive: readAmount(total, 'TaxExclusiveAmount', currency),
    taxInclusive: readAmount(total, 'TaxInclusiveAmount', currency),
    allowanceTotal: optionalAmount(total, 'AllowanceTotalAmount', currency),
    chargeTotal: optionalAmount(total, 'ChargeTotalAmount', currency),
    prepaid: optionalAmount(total, 'PrepaidAmount', currency),
    payable: readAmount(total, 'PayableAmount', currency),
  }
}

function readLine(line: Element, kind: Kind, currency: string): StatedLine {
  const price = requireOne(line, cac('Price'))
  const unitPrice = requireOne(price, cbc('PriceAmount'))
  requireCurrency(unitPrice, currency)
  const [baseQuantity] = childrenNamed(price, cbc('BaseQuantity'))
  return {
    id: readText(requireOne(line, cbc('ID'))),
    quantity: readDecimal(requireOne(line, cbc(kind.quantity))),
    unitPrice: readDecimal(unitPrice),
    priceBaseQuantity: baseQuantity ? readDecimal(baseQuantity) : new Big(1),
    amount: readAmount(line, 'LineExtensionAmount', currency),
    adjustments: readAdjustments(line, currency),
    vat: readVat(requireOne(requireOne(line, cac('Item')), cac('ClassifiedTaxCategory'))),
  }
}

function readAdjustments(parent: Element, currency: string): StatedAdjustment[] {
  return childrenNamed(parent, cac('AllowanceCharge')).map((element) => {
    const indicator = readText(requireOne(element, cbc('ChargeIndicator')))
    if (indicator !== 'true' && indicator !== 'false') reject(`ChargeIndicator ${indicator}`)
    const [percent] = childrenNamed(element, cbc('MultiplierFactorNumeric'))
    const [base] = childrenNamed(element, cbc('BaseAmount'))
    const [category] = childrenNamed(element, cac('TaxCategory'))
    return {
      isCharge: indicator === 'true',
      amount: readAmount(element, 'Amount', currency),
      percent: percent && readDecimal(percent),
      base: base && readAmount(element, 'BaseAmount', currency),
      vat: category && readVat(category),
    }
  })
}

function optionalAmount(parent: Element, local: string, currency: string): Big {
  const isStated = childrenNamed(parent, cbc(local)).length > 0
  return isStated ? readAmount(parent, local, currency) : new Big(0)
}

function readSubtotal(subtotal: Element, currency: string): StatedSubtotal {
  return {
    vat: readVat(requireOne(subtotal, cac('TaxCategory'))),
    taxable: readAmount(subtotal, 'TaxableAmount', currency),
    tax: readAmount(subtotal, 'TaxAmount', currency),
  }
}

function readVat(category: Element): VatCategory {
  const [percent] = childrenNamed(category, cbc('Percent'))
  return {
    code: readText(requireOne(category, cbc('ID'))),
    percent: percent ? readDecimal(percent) : new Big(0),
  }
}

function readAmount(parent: Element, local: string, currency: string): Big {
  const element = requireOne(parent, cbc(local))
  requireCurrency(element, currency)
  const amount = readDecimal(element)
  if (!amount.round(minorUnitDigits(currency), 0).eq(amount)) {
    reject(`${local} ${readText(element)} is finer than the minor unit of ${currency}`)
  }
  return amount
}

function requireCurrency(amount: Element, currency: string): void {
  const stated = amount.getAttribute('currencyID')
  if (stated !== currency)
    reject(`${amount.localName} is in ${stated}, the document in ${currency}`)
}

function readDecimal(element: Element): Big {
  const text = readText(element)
  if (!decimalLiteral.test(text))
    reject(`${element.localName} ${text.slice(0, 40)} is not a decimal`)
  return new Big(text.replace(/^\+/, ''))
}

function optionalText(parent: Element, name: ElementName): string | undefined {
  return childrenNamed(parent, name).map(readText)[0]
}

function requireOne(parent: Element, name: ElementName): Element {
  const [element, ...others] = childrenNamed(parent, name)
  if (!element || others.length > 0) {
    reject(`exactly one ${name.local} is expected in ${parent.localName}`)
  }
  return element
}

function reject(detail: string): never {
  throw new Rejection('INVALID_XML', detail)
}
