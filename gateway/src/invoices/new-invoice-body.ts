import type { Body } from '../routes/api-route'
import { newInvoiceExamples, newInvoiceExampleSummaries } from './examples'
import { newInvoice } from './invoice-schema'

export const newInvoiceBody: Body = {
  name: 'NewInvoice',
  schema: newInvoice,
  examples: newInvoiceExamples,
  summaries: newInvoiceExampleSummaries,
}
