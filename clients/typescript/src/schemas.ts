import type { components, operations } from './gen/api'

type Schemas = components['schemas']

export type Invoice = Schemas['Invoice']
/** The answer to a creation: before anything was sent to the tax authority. */
export type CreatedInvoice = Schemas['CreatedInvoice']
export type InvoiceStatus = Schemas['InvoiceStatus']
export type InvoicePage = Schemas['InvoicePage']
/** In a list: without its lines. */
export type ListedInvoice = InvoicePage['content'][number]
/** Of a signed file. */
export type Verification = Schemas['Verification']
export type Status = InvoiceStatus['status']
export type FieldError = Schemas['FieldError']
export type ServiceErrorCode = Schemas['ErrorEnvelope']['code']

export type ListQuery = NonNullable<operations['listInvoices']['parameters']['query']>

/** Text (`'120.50'`) is sent digit by digit: a JavaScript number holds about 15 digits. */
export type Quantity = number | string

type Amounts = 'quantity' | 'unitPrice'
type LineOf<Body extends { lines?: object[] }> = NonNullable<Body['lines']>[number]
type WithExactLines<Body extends { lines?: object[] }> = Omit<Body, 'lines'> & {
  [name in keyof Pick<Body, 'lines'>]: (Omit<LineOf<Body>, Amounts> & Record<Amounts, Quantity>)[]
}

export type NewInvoice = WithExactLines<Schemas['NewInvoice']>
export type NewInvoiceLine = NewInvoice['lines'][number]
/** Of one invoice: the whole of it where `lines` is absent. */
export type CreditNoteOfInvoice = Omit<Schemas['CreditNoteOfInvoice'], 'lines'> & {
  lines?: { lineNumber: number; quantity: Quantity }[] | null
}
/** The body of a change: absent fields stay, `null` clears, lines are replaced as a whole. */
export type InvoiceChanges = WithExactLines<Schemas['InvoiceChanges']>
