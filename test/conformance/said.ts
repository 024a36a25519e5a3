/** Reads the texts of a document with an independent parser, by the interface's field names. */

import type { Invoice, PaymentMethod } from '@einvoicing/proto/invoice'
import { elementsAt, parseXml, textAt, textsAt } from '../stack/xml'

export interface DocumentText {
  invoice: Record<string, string | undefined>
  issuer: Record<string, string | undefined>
  lines: Record<string, string | undefined>[]
  subtotals: (string | undefined)[][]
}

const seller = 'AccountingSupplierParty/Party'
const buyer = 'AccountingCustomerParty/Party'

export function readDocumentText(xml: Buffer): DocumentText {
  const document = parseXml(xml)
  const isCreditNote = document.documentElement?.localName === 'CreditNote'
  const [line, quantity] = isCreditNote
    ? ['CreditNoteLine', 'CreditedQuantity']
    : ['InvoiceLine', 'InvoicedQuantity']
  return {
    invoice: {
      invoiceNumber: textAt(document, 'ID'),
      invoiceDate: textAt(document, 'IssueDate'),
      typeCode: textAt(document, isCreditNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode'),
      preceding: textsAt(document, 'BillingReference/InvoiceDocumentReference/ID').join('|'),
      dueDate: textAt(document, isCreditNote ? 'PaymentMeans/PaymentDueDate' : 'DueDate'),
      currency: textAt(document, 'DocumentCurrencyCode'),
      paymentCode: textAt(document, 'PaymentMeans/PaymentMeansCode'),
      buyerIce: textAt(document, `${buyer}/PartyIdentification/ID`),
      buyerName: textAt(document, `${buyer}/PartyLegalEntity/RegistrationName`),
      buyerAddress: textAt(document, `${buyer}/PostalAddress/StreetName`),
      ...Object.fromEntries(
        Object.entries(optionalPaths).map(([name, path]) => [name, textAt(document, path)]),
      ),
      // Without its subject code (BT-21).
      note: textAt(document, 'Note')?.replace(/^#AAI#/, ''),
      servicePeriodFrom: textAt(document, 'InvoicePeriod/StartDate'),
      account: textAt(document, 'PaymentMeans/PayeeFinancialAccount/ID'),
      amountHt: textAt(document, 'LegalMonetaryTotal/TaxExclusiveAmount'),
      amountVat: textAt(document, 'TaxTotal/TaxAmount'),
      amountTtc: textAt(document, 'LegalMonetaryTotal/TaxInclusiveAmount'),
      amountDue: textAt(document, 'LegalMonetaryTotal/PayableAmount'),
    },
    issuer: {
      name: textAt(document, `${seller}/PartyLegalEntity/RegistrationName`),
      address: textAt(document, `${seller}/PostalAddress/StreetName`),
      city: textAt(document, `${seller}/PostalAddress/CityName`),
      ice: textAt(document, `${seller}/PartyIdentification/ID`),
      if: textAt(document, `${seller}/PartyTaxScheme/CompanyID`)?.replace(/^MA/, ''),
      rc: textAt(document, `${seller}/PartyLegalEntity/CompanyID`),
    },
    lines: elementsAt(document, line).map((each) => ({
      lineNumber: textAt(each, 'ID'),
      description: textAt(each, 'Item/Name'),
      quantity: textAt(each, quantity),
      unitPrice: textAt(each, 'Price/PriceAmount'),
      vatRate: textAt(each, 'Item/ClassifiedTaxCategory/Percent'),
      itemCode: textAt(each, 'Item/SellersItemIdentification/ID'),
      orderLineNumber: textAt(each, 'OrderLineReference/LineID'),
      amountHt: textAt(each, 'LineExtensionAmount'),
    })),
    subtotals: elementsAt(document, 'TaxTotal/TaxSubtotal').map((subtotal) => [
      textAt(subtotal, 'TaxCategory/Percent'),
      textAt(subtotal, 'TaxableAmount'),
      textAt(subtotal, 'TaxAmount'),
      textsAt(subtotal, 'TaxCategory/TaxExemptionReason').join('|') || undefined,
    ]),
  }
}

const defaultReasons: Record<string, string> = {
  E: 'Exonération de TVA',
  G: 'Exportation, exonérée de TVA (art. 92-I-1° du CGI)',
  AE: 'Autoliquidation de la TVA par le client',
  O: 'Opération hors champ de la TVA',
}

/** BT-20 stands also where there is no due date. */
const optionalPaths = {
  purchaseOrderNumber: 'OrderReference/ID',
  note: 'Note',
  buyerReference: 'BuyerReference',
  contractNumber: 'ContractDocumentReference/ID',
  deliveryNoteNumber: 'DespatchDocumentReference/ID',
  deliveryDate: 'Delivery/ActualDeliveryDate',
  deliveryAddress: 'Delivery/DeliveryLocation/Address/StreetName',
  buyerCity: `${buyer}/PostalAddress/CityName`,
  paymentReference: 'PaymentMeans/PaymentID',
} as const

const blank = (text: string | undefined) => text === undefined || /^[ \t\r\n]*$/.test(text)

/** The expected texts. */
export function toExpectedText(invoice: Invoice, digits: number): DocumentText {
  const { issuer, correctionReason: reason } = invoice
  const amount = (minorUnits: number) => {
    const text = String(minorUnits).padStart(digits + 1, '0')
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  }
  const account = !blank(issuer?.rib)
  const codes: Partial<Record<PaymentMethod, string>> = {
    BANK_TRANSFER: account || invoice.paymentAccount ? '30' : '42',
    CASH: '10',
    CHECK: '20',
    CARD: '48',
  }
  const toCategory = ({
    vatRate,
    vatCategory,
  }: {
    vatRate: number
    vatCategory?: string | undefined
  }) => vatCategory ?? (vatRate === 0 ? 'E' : 'S')
  // BR-S-10: taxed lines have none.
  const listReasons = (category: string) =>
    (category === 'S' ? [] : invoice.lines)
      .filter((line) => toCategory(line) === category)
      .map(({ vatExemptionReason: reason }) => (blank(reason) ? defaultReasons[category] : reason))
  return {
    invoice: {
      invoiceNumber: invoice.invoiceNumber,
      invoiceDate: invoice.invoiceDate,
      typeCode: { CREDIT_NOTE: '381', PREPAYMENT_INVOICE: '386' }[invoice.type ?? ''] ?? '380',
      preceding: (invoice.precedingInvoices?.items ?? [])
        .map(({ invoiceNumber }) => invoiceNumber)
        .join('|'),
      dueDate: invoice.dueDate,
      currency: invoice.currency,
      paymentCode: codes[invoice.paymentMethod] ?? '1',
      buyerIce: invoice.buyerIce,
      buyerName: blank(invoice.buyerName) ? 'Consommateur final' : invoice.buyerName,
      buyerAddress: blank(invoice.buyerAddress) ? undefined : invoice.buyerAddress,
      ...Object.fromEntries(
        (Object.keys(optionalPaths) as (keyof typeof optionalPaths)[]).map((name) => [
          name,
          blank(invoice[name]) ? undefined : invoice[name],
        ]),
      ),
      note: [invoice.note, reason && `Motif de l'avoir : ${reason}`].find((text) => !blank(text)),
      servicePeriodFrom: invoice.servicePeriod?.from,
      account:
        invoice.paymentAccount?.iban ??
        invoice.paymentAccount?.rib ??
        (invoice.paymentMethod === 'BANK_TRANSFER' && account ? issuer?.rib : undefined),
      amountHt: amount(invoice.amountHt),
      amountVat: amount(invoice.amountVat),
      amountTtc: amount(invoice.amountTtc),
      amountDue: amount(invoice.amountDue ?? invoice.amountTtc),
    },
    issuer: {
      name: issuer?.name,
      address: issuer?.address,
      city: issuer?.city,
      ice: issuer?.ice,
      if: issuer?.if,
      rc: issuer?.rc,
    },
    lines: invoice.lines.map((line) => ({
      lineNumber: String(line.lineNumber),
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      vatRate: toCategory(line) === 'O' ? undefined : String(line.vatRate),
      itemCode: blank(line.itemCode) ? undefined : line.itemCode,
      orderLineNumber: blank(line.orderLineNumber) ? undefined : line.orderLineNumber,
      amountHt: amount(line.amountHt),
    })),
    subtotals: invoice.vatSubtotals.map((subtotal) => [
      toCategory(subtotal) === 'O' ? undefined : String(subtotal.vatRate),
      amount(subtotal.taxableAmount),
      amount(subtotal.vatAmount),
      [...new Set(listReasons(toCategory(subtotal)))].filter(Boolean).join(' ; ') || undefined,
    ]),
  }
}
