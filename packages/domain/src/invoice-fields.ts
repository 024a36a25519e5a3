// Code for these fields is derived from the tables, or does not compile or fails a test without
// them.

/** `null` clears an optional field. */
type Presence = 'required' | 'optional'

export const invoiceFields = {
  type: 'optional', // BT-3
  invoiceNumber: 'required', // BT-1
  invoiceDate: 'required', // BT-2
  dueDate: 'optional', // BT-9
  currency: 'required', // BT-5
  paymentMethod: 'required', // BT-81
  buyerIce: 'optional', // BT-46
  buyerName: 'optional', // BT-44
  buyerAddress: 'optional', // BT-50
  buyerCity: 'optional', // BT-52
  buyerCountry: 'optional', // BT-55
  buyerIf: 'optional', // BT-48
  buyerType: 'optional',
  note: 'optional', // BT-22
  buyerReference: 'optional', // BT-10
  purchaseOrderNumber: 'optional', // BT-13
  contractNumber: 'optional', // BT-12
  deliveryNoteNumber: 'optional', // BT-16
  precedingInvoices: 'optional', // BG-3
  correctionReason: 'optional', // BT-22
  servicePeriod: 'optional', // BG-14
  deliveryDate: 'optional', // BT-72
  deliveryAddress: 'optional', // BT-75
  deliveryCountry: 'optional', // BT-80
  paymentTerms: 'optional', // BT-20
  paymentReference: 'optional', // BT-83
  paymentAccount: 'optional', // BG-17
  prepaidAmount: 'optional', // BT-113
  allowances: 'optional', // BG-20
  charges: 'optional', // BG-21
  stampDuty: 'optional',
  vatWithholdingPercent: 'optional',
  lines: 'required', // BG-25
} as const satisfies Record<string, Presence>

const lineFields = {
  lineNumber: 'required', // BT-126
  description: 'required', // BT-153
  quantity: 'required', // BT-129
  unitPrice: 'required', // BT-146
  vatRate: 'required', // BT-152
  unit: 'optional', // BT-130
  vatExemptionReason: 'optional', // BT-120
  itemCode: 'optional', // BT-155
  orderLineNumber: 'optional', // BT-132
  note: 'optional', // BT-127
  servicePeriod: 'optional', // BG-26
  vatCategory: 'optional', // BT-151
  allowances: 'optional', // BG-27
  charges: 'optional', // BG-28
} as const satisfies Record<string, Presence>

const allowanceFields = [
  'amount',
  'percent',
  'vatRate',
  'vatCategory',
  'reason',
  'reasonCode',
] as const

/** Fields with fields of their own; some are lists. */
export const structureFields = {
  servicePeriod: ['from', 'to'],
  paymentAccount: ['rib', 'iban', 'bic', 'name'],
  precedingInvoices: ['id', 'invoiceNumber', 'invoiceDate'],
  allowances: allowanceFields,
  charges: allowanceFields,
} as const satisfies Partial<Record<keyof typeof invoiceFields | keyof typeof lineFields, unknown>>

export type StructureField = keyof typeof structureFields

export type InvoiceField = keyof typeof invoiceFields
export type LineField = keyof typeof lineFields

type WithPresence<Fields, P extends Presence> = {
  [Name in keyof Fields]: Fields[Name] extends P ? Name : never
}[keyof Fields]

export type RequiredInvoiceField = WithPresence<typeof invoiceFields, 'required'>
export type OptionalInvoiceField = WithPresence<typeof invoiceFields, 'optional'>

/** A number or `true`. */
export const valueFields = ['prepaidAmount', 'stampDuty', 'vatWithholdingPercent'] as const

/** Fixed when a document is created. */
export const kindFields = ['type', 'correctionReason'] as const

/** Of the payment of an invoice: a credit note that is copied from it does not repeat them. */
export const notCopiedFields = [
  'dueDate',
  'prepaidAmount',
  'paymentTerms',
  'paymentReference',
  'paymentAccount',
  'stampDuty',
] as const satisfies readonly InvoiceField[]

export type ValueField = (typeof valueFields)[number]
export type KindField = (typeof kindFields)[number]
export type OptionalTextField = Exclude<
  OptionalInvoiceField,
  StructureField | ValueField | KindField
>
export type OptionalLineText = Exclude<WithPresence<typeof lineFields, 'optional'>, StructureField>

export const invoiceFieldNames = Object.keys(invoiceFields) as InvoiceField[]
export const lineFieldNames = Object.keys(lineFields) as LineField[]

const isOptionalText = (fields: Readonly<Record<string, Presence>>) => (name: string) =>
  fields[name] === 'optional' &&
  !(name in structureFields) &&
  ![...valueFields, ...kindFields].some((other) => other === name)

export const optionalTextFields = invoiceFieldNames.filter(
  isOptionalText(invoiceFields),
) as OptionalTextField[]
export const optionalLineTexts = lineFieldNames.filter(
  isOptionalText(lineFields),
) as OptionalLineText[]

/** As in a field mask (AIP-161): `invoice_number`. */
export function toMaskPath(name: InvoiceField): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
