/**
 * Reads back from a signed original what the client sent and who issued it: the other way round of
 * `services/signer/src/ubl`, by the terms of EN 16931.
 *
 * The document holds less than the store did: a unit of measure comes back as its code, a bank
 * account only where the invoice is paid to it. What comes back writes the very same document.
 * Throws for a document whose amounts are not those its lines make.
 */

import { formatAmount } from '@einvoicing/domain/currency'
import type { Invoice, InvoiceLine, LegalMentions, PaymentMethod } from '@einvoicing/proto/invoice'
import { computeTotals, type Totals } from '../totals'
import { elementsAt, neededText, parseDocument, textAt, type Element } from './element'

/** What a signed original says of its invoice. */
export type Original = Totals &
  Pick<
    Invoice,
    | 'issuer'
    | 'invoiceNumber'
    | 'invoiceDate'
    | 'currency'
    | 'paymentMethod'
    | 'buyerIce'
    | 'buyerName'
    | 'buyerAddress'
    | 'dueDate'
  > & {
    /** ISO 8601 UTC. */
    signedAt: string
  }

const signingTime =
  'UBLExtensions/UBLExtension/ExtensionContent/UBLDocumentSignatures/SignatureInformation/Signature/' +
  'Object/QualifyingProperties/SignedProperties/SignedSignatureProperties/SigningTime'

export function readOriginal(xml: Uint8Array): Original {
  const root = parseDocument(xml)
  // A credit note that reached this version from a later one is not what it would be read as.
  if (root.localName !== 'Invoice') throw new Error(`the document is no Invoice: ${root.localName}`)
  const currency = neededText(root, 'DocumentCurrencyCode')
  const original = {
    invoiceNumber: neededText(root, 'ID'),
    invoiceDate: neededText(root, 'IssueDate'),
    dueDate: textAt(root, 'DueDate'),
    currency,
    paymentMethod: paymentMethodOf(neededText(root, 'PaymentMeans/PaymentMeansCode')),
    issuer: issuerOf(root),
    ...buyerOf(root),
    ...computeTotals(elementsAt(root, 'InvoiceLine').map(lineOf), currency),
    signedAt: neededText(root, signingTime),
  }
  assertStated(root, original)
  return original
}

// As services/signer/src/ubl/payment.ts writes them; 1 says that the instrument is not defined.
const methodByCode: Readonly<Record<string, PaymentMethod>> = {
  '1': 'OTHER',
  '10': 'CASH',
  '20': 'CHECK',
  '30': 'BANK_TRANSFER',
  '42': 'BANK_TRANSFER',
  '48': 'CARD',
}

function paymentMethodOf(code: string): PaymentMethod {
  const method = methodByCode[code]
  if (!method) throw new Error(`the document is paid by an unknown means, ${code}`)
  return method
}

function issuerOf(root: Element): LegalMentions {
  const path = 'AccountingSupplierParty/Party'
  const [party] = elementsAt(root, path)
  if (!party) throw new Error(`the document has no ${path}`)
  const said = (at: string) => textAt(party, at) ?? ''
  return {
    name: said('PartyLegalEntity/RegistrationName'),
    rc: said('PartyLegalEntity/CompanyID'),
    ...legalInformation(said('PartyLegalEntity/CompanyLegalForm')),
    address: said('PostalAddress/StreetName'),
    city: said('PostalAddress/CityName'),
    ice: said('PartyIdentification/ID'),
    // Before it stands the country, which a VAT identifier starts with (BR-CO-09).
    if: said('PartyTaxScheme/CompanyID').replace(/^MA/, ''),
    phone: said('Contact/Telephone'),
    email: said('Contact/ElectronicMail'),
    rib: textAt(root, 'PaymentMeans/PayeeFinancialAccount/ID') ?? '',
  }
}

/** EN 16931 BT-33: `SARL - Capital : 100 000 MAD - TP : 345 - CNSS : 678`, each where it is. */
function legalInformation(
  text: string,
): Pick<LegalMentions, 'legalForm' | 'capital' | 'tp' | 'cnss'> {
  const labelled =
    /^(.*?)(?:(?:^| - )Capital : (.*?))?(?:(?:^| - )TP : (.*?))?(?:(?:^| - )CNSS : (.*))?$/s
  const [, legalForm = '', capital = '', tp = '', cnss = ''] = labelled.exec(text) ?? []
  return { legalForm, capital, tp, cnss }
}

// The word for a buyer without a name.
const consumer = 'Consommateur final'

function buyerOf(root: Element): Pick<Invoice, 'buyerIce' | 'buyerName' | 'buyerAddress'> {
  const party = 'AccountingCustomerParty/Party'
  const name = neededText(root, `${party}/PartyLegalEntity/RegistrationName`)
  return {
    buyerIce: textAt(root, `${party}/PartyIdentification/ID`),
    buyerName: name === consumer ? undefined : name,
    buyerAddress: textAt(root, `${party}/PostalAddress/StreetName`),
  }
}

// The code that also stands where a unit has none, or the client gave no unit.
const each = 'C62'

function lineOf(line: Element): InvoiceLine {
  const [quantity] = elementsAt(line, 'InvoicedQuantity')
  const code = quantity?.getAttribute('unitCode') ?? each
  return {
    lineNumber: Number(neededText(line, 'ID')),
    description: neededText(line, 'Item/Name'),
    quantity: neededText(line, 'InvoicedQuantity'),
    unitPrice: neededText(line, 'Price/PriceAmount'),
    vatRate: Number(neededText(line, 'Item/ClassifiedTaxCategory/Percent')),
    unit: textAt(line, 'Note') ?? (code === each ? undefined : code),
    vatExemptionReason: textAt(line, 'Item/AdditionalItemProperty/Value'),
    amountHt: 0,
  }
}

/** What was read must make the amounts that were signed: then nothing of them was misread. */
function assertStated(root: Element, { currency, lines, ...totals }: Original): void {
  const stated = [
    neededText(root, 'LegalMonetaryTotal/TaxExclusiveAmount'),
    neededText(root, 'TaxTotal/TaxAmount'),
    neededText(root, 'LegalMonetaryTotal/PayableAmount'),
    ...elementsAt(root, 'InvoiceLine/LineExtensionAmount').map((amount) => amount.textContent),
  ]
  const { amountHt, amountVat, amountTtc } = totals
  const made = [amountHt, amountVat, amountTtc, ...lines.map((line) => line.amountHt)]
  if (made.map((amount) => formatAmount(amount, currency)).join() !== stated.join()) {
    throw new Error('the amounts of the document are not those its lines make')
  }
}
