export const invoiceTypes = ['INVOICE', 'CREDIT_NOTE', 'PREPAYMENT_INVOICE'] as const

export type InvoiceType = (typeof invoiceTypes)[number]

/** Not stored or sent between services: invoices of 0.1 have no type. */
export const defaultInvoiceType = 'INVOICE' satisfies InvoiceType
