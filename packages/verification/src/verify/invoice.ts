import type { Element } from '@xmldom/xmldom'
import type { InvoiceType } from '@einvoicing/domain/invoice-types'
import { documentKinds } from '@einvoicing/profile/document-kinds'
import { readText, ubl } from './xml'

/** Read from the digested text only. */
export interface InvoiceSummary {
  type: InvoiceType | null
  invoiceNumber: string | null
  invoiceDate: string | null
  issuerIce: string | null
  buyerName: string | null
  currency: string | null
  amountHt: number | null
  amountVat: number | null
  amountTtc: number | null
}

const namespaces = [`${ubl}CommonBasicComponents-2`, `${ubl}CommonAggregateComponents-2`]

/** Path of local names, joined by slashes. */
export function elementsAt(parent: Element | undefined, path: string): Element[] {
  return path
    .split('/')
    .reduce<Element[]>(
      (found, name) =>
        found.flatMap((element) =>
          Array.from(element.childNodes).filter(
            (node): node is Element =>
              node.nodeType === 1 &&
              (node as Element).localName === name &&
              namespaces.includes((node as Element).namespaceURI ?? ''),
          ),
        ),
      parent ? [parent] : [],
    )
}

/** `undefined` for none or more than one. */
export function textAt(parent: Element | undefined, path: string): string | undefined {
  const [element, ...others] = elementsAt(parent, path)
  return element && others.length === 0 ? readText(element) : undefined
}

export function readSummary(root: Element): InvoiceSummary {
  const text = (path: string) => textAt(root, path) ?? null
  const amount = (path: string) => {
    const value = textAt(root, path)
    return value !== undefined && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value) ? Number(value) : null
  }
  return {
    type: readType(root),
    invoiceNumber: text('ID'),
    invoiceDate: text('IssueDate'),
    issuerIce: text('AccountingSupplierParty/Party/PartyIdentification/ID'),
    buyerName: text('AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName'),
    currency: text('DocumentCurrencyCode'),
    amountHt: amount('LegalMonetaryTotal/TaxExclusiveAmount'),
    amountVat: amount('TaxTotal/TaxAmount'),
    amountTtc: amount('LegalMonetaryTotal/TaxInclusiveAmount'),
  }
}

function readType(root: Element): InvoiceType | null {
  const found = Object.values(documentKinds).find(
    (kind) => kind.root === root.localName && textAt(root, kind.typeCodeElement) === kind.typeCode,
  )
  return found?.type ?? null
}
