import { isBlank } from '@einvoicing/domain/xml-text'
import type { Invoice, Period, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { optionalTextElement, textElement } from './xml'

/** EN 16931 BG-14, BG-3, BT-12, BT-13, BT-16, in the schema's order. */
export function references(invoice: Invoice): string {
  const { purchaseOrderNumber, deliveryNoteNumber, contractNumber } = invoice
  return [
    invoicePeriod(invoice.servicePeriod),
    reference('cac:OrderReference', purchaseOrderNumber),
    ...(invoice.precedingInvoices?.items ?? []).map(billingReference),
    reference('cac:DespatchDocumentReference', deliveryNoteNumber),
    reference('cac:ContractDocumentReference', contractNumber),
  ]
    .map((element) => element && `${element}\n`)
    .join('')
}

export function invoicePeriod(period: Period | undefined): string {
  if (!period) return ''
  return (
    '<cac:InvoicePeriod>' +
    optionalTextElement('cbc:StartDate', period.from) +
    optionalTextElement('cbc:EndDate', period.to) +
    '</cac:InvoicePeriod>'
  )
}

function billingReference({ invoiceNumber, invoiceDate }: PrecedingInvoice): string {
  return (
    '<cac:BillingReference><cac:InvoiceDocumentReference>' +
    optionalTextElement('cbc:ID', invoiceNumber) +
    optionalTextElement('cbc:IssueDate', invoiceDate) +
    '</cac:InvoiceDocumentReference></cac:BillingReference>'
  )
}

function reference(name: string, id: string | undefined): string {
  return isBlank(id) ? '' : `<${name}>${textElement('cbc:ID', id)}</${name}>`
}
