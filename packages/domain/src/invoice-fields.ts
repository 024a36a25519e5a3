// Code that reads, clears, compares, presents, writes or restores the fields is derived from these
// tables, does not compile, or fails a test until it handles all of them.

/** `null` clears an optional field. */
type Presence = 'required' | 'optional'

export const invoiceFields = {
  invoiceNumber: 'required', // BT-1
  invoiceDate: 'required', // BT-2
  dueDate: 'optional', // BT-9
  currency: 'required', // BT-5
  paymentMethod: 'required', // BT-81
  buyerIce: 'optional', // BT-46
  buyerName: 'optional', // BT-44
  buyerAddress: 'optional', // BT-50
  purchaseOrderNumber: 'optional', // BT-13
  lines: 'required', // BG-25
} as const satisfies Record<string, Presence>

export const lineFields = {
  lineNumber: 'required', // BT-126
  description: 'required', // BT-153
  quantity: 'required', // BT-129
  unitPrice: 'required', // BT-146
  vatRate: 'required', // BT-152
  unit: 'optional', // BT-130
  vatExemptionReason: 'optional', // BT-120
} as const satisfies Record<string, Presence>

export type InvoiceField = keyof typeof invoiceFields
export type LineField = keyof typeof lineFields

type WithPresence<Fields, P extends Presence> = {
  [Name in keyof Fields]: Fields[Name] extends P ? Name : never
}[keyof Fields]

export type RequiredInvoiceField = WithPresence<typeof invoiceFields, 'required'>
export type OptionalInvoiceField = WithPresence<typeof invoiceFields, 'optional'>

export const invoiceFieldNames = Object.keys(invoiceFields) as InvoiceField[]
export const lineFieldNames = Object.keys(lineFields) as LineField[]

/** As in a field mask (AIP-161): `invoice_number`. */
export function toMaskPath(name: InvoiceField): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
