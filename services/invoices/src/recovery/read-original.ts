import { formatAmount } from '@einvoicing/domain/currency'
import type { InvoiceField } from '@einvoicing/domain/invoice-fields'
import {
  documentKinds,
  findDocumentKind,
  type DocumentKind,
} from '@einvoicing/profile/document-kinds'
import { isAbroad } from '@einvoicing/profile/countries'
import { fromVatIdentifier } from '@einvoicing/profile/identifiers'
import { readLegalInformation } from '@einvoicing/profile/legal-information'
import { readLineNote } from '@einvoicing/profile/line-note'
import { readPaymentNotes } from '@einvoicing/profile/payment-notes'
import { texts } from '@einvoicing/profile/texts'
import { unspecifiedUnit } from '@einvoicing/profile/units'
import type { InvoiceContent, LegalMentions, LineContent } from '@einvoicing/proto/invoice'
import { computeTotals, type Totals } from '../totals'
import { elementsAt, requiredText, parseDocument, textAt, type Element } from './element'
import { readAdjustments, readLineAdjustments, readNotes, readTaxed } from './read-amounts'
import { readDelivery, readPeriod, readReferences } from './read-references'
import { accountId, isIssuersAccount, readPayment } from './read-payment'

export type Original = Totals &
  Omit<InvoiceContent, 'lines'> & {
    issuer: LegalMentions
    signedAt: string
  }

const signingTime =
  'UBLExtensions/UBLExtension/ExtensionContent/UBLDocumentSignatures/SignatureInformation/Signature/' +
  'Object/QualifyingProperties/SignedProperties/SignedSignatureProperties/SigningTime'

/**
 * The reverse of `services/signer/src/ubl`. A document holds less than the store did, but enough to
 * write an identical document. Throws when the amounts are not the sums of the lines.
 */
export function readOriginal(xml: Uint8Array): Original {
  const root = parseDocument(xml)
  const kind = findDocumentKind(root, (element) => textAt(root, element))
  if (!kind) throw new Error(`unknown kind of document: its root element is ${root.localName}`)
  const currency = requiredText(root, 'DocumentCurrencyCode')
  const [lines, adjustments] = [readLines(root, kind), readAdjustments(root)]
  const { others, ...payment } = readPaymentNotes(readNotes(root), (stated) =>
    Object.assign(
      { type: kind.type, currency },
      stated,
      computeTotals(lines, currency, { ...adjustments, ...stated }),
    ),
  )
  const original = {
    invoiceNumber: requiredText(root, 'ID'),
    invoiceDate: requiredText(root, 'IssueDate'),
    type: kind === documentKinds.invoice ? undefined : kind.type,
    dueDate: textAt(root, kind.hasDueDate ? 'DueDate' : 'PaymentMeans/PaymentDueDate'),
    currency,
    ...readReferences(root, kind, others),
    ...readDelivery(root),
    ...readPayment(root),
    issuer: { ...readIssuer(root), rib: isIssuersAccount(root) ? (accountId(root) ?? '') : '' },
    ...readBuyer(root),
    buyerType: undefined,
    ...adjustments,
    ...payment,
    ...computeTotals(lines, currency, { ...adjustments, ...payment }),
    signedAt: requiredText(root, signingTime),
  } satisfies Record<InvoiceField, unknown> & Record<string, unknown>
  checkAmounts(original, readAmounts(root, kind))
  return original
}

function readIssuer(root: Element): Omit<LegalMentions, 'rib'> {
  const path = 'AccountingSupplierParty/Party'
  const [party] = elementsAt(root, path)
  if (!party) throw new Error(`the document has no ${path}`)
  const textOrEmpty = (at: string) => textAt(party, at) ?? ''
  return {
    name: textOrEmpty('PartyLegalEntity/RegistrationName'),
    rc: textOrEmpty('PartyLegalEntity/CompanyID'),
    ...readLegalInformation(textOrEmpty('PartyLegalEntity/CompanyLegalForm')),
    address: textOrEmpty('PostalAddress/StreetName'),
    city: textOrEmpty('PostalAddress/CityName'),
    ice: textOrEmpty('PartyIdentification/ID'),
    if: fromVatIdentifier(textOrEmpty('PartyTaxScheme/CompanyID')),
    phone: textOrEmpty('Contact/Telephone'),
    email: textOrEmpty('Contact/ElectronicMail'),
  }
}

function readBuyer(root: Element) {
  const party = 'AccountingCustomerParty/Party'
  const name = requiredText(root, `${party}/PartyLegalEntity/RegistrationName`)
  const code = textAt(root, `${party}/PostalAddress/Country/IdentificationCode`)
  const taxId = textAt(root, `${party}/PartyTaxScheme/CompanyID`)
  return {
    buyerIce: textAt(root, `${party}/PartyIdentification/ID`),
    buyerName: name === texts.consumer ? undefined : name,
    buyerAddress: textAt(root, `${party}/PostalAddress/StreetName`),
    buyerCity: textAt(root, `${party}/PostalAddress/CityName`),
    buyerCountry: isAbroad(code) ? code : undefined,
    buyerIf: taxId === undefined || isAbroad(code) ? taxId : fromVatIdentifier(taxId),
  }
}

function readLines(root: Element, kind: DocumentKind): LineContent[] {
  return elementsAt(root, kind.lineElement).map((line) => readLine(line, kind))
}

function readLine(line: Element, { quantityElement }: DocumentKind): LineContent {
  const [quantity] = elementsAt(line, quantityElement)
  const code = quantity?.getAttribute('unitCode') ?? unspecifiedUnit
  const { unit, note } = readLineNote(textAt(line, 'Note'))
  return {
    lineNumber: Number(requiredText(line, 'ID')),
    description: requiredText(line, 'Item/Name'),
    quantity: requiredText(line, quantityElement),
    unitPrice: requiredText(line, 'Price/PriceAmount'),
    ...readTaxed(line, 'Item/ClassifiedTaxCategory'),
    ...readLineAdjustments(line),
    unit: unit ?? (code === unspecifiedUnit ? undefined : code),
    note,
    itemCode: textAt(line, 'Item/SellersItemIdentification/ID'),
    orderLineNumber: textAt(line, 'OrderLineReference/LineID'),
    servicePeriod: readPeriod(line),
    vatExemptionReason: textAt(line, 'Item/AdditionalItemProperty/Value'),
  }
}

function readAmounts(root: Element, { lineElement }: DocumentKind): string[] {
  return [
    requiredText(root, 'LegalMonetaryTotal/TaxExclusiveAmount'),
    requiredText(root, 'TaxTotal/TaxAmount'),
    requiredText(root, 'LegalMonetaryTotal/PayableAmount'),
    ...elementsAt(root, `${lineElement}/LineExtensionAmount`).map(
      (amount) => amount.textContent ?? '',
    ),
  ]
}

/** Recomputed amounts prove that nothing was misread. */
function checkAmounts({ currency, lines, ...totals }: Original, stated: string[]): void {
  const { amountHt, amountVat, amountTtc, amountDue = amountTtc } = totals
  const computed = [amountHt, amountVat, amountDue, ...lines.map((line) => line.amountHt)]
  if (computed.map((amount) => formatAmount(amount, currency)).join() !== stated.join()) {
    throw new Error('the amounts of the document do not match its lines')
  }
}
