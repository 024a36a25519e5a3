export const invoiceTypes = ['INVOICE', 'CREDIT_NOTE', 'PREPAYMENT_INVOICE'] as const

export type InvoiceType = (typeof invoiceTypes)[number]

/** Stored, and sent between services, only where it is another: as invoices of 0.1 are. */
export const defaultInvoiceType = 'INVOICE' satisfies InvoiceType
