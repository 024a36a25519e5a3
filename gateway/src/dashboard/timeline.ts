import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { invoiceIdParameter, readInvoiceId } from '../invoices/invoice-id'
import { auditEntrySchema, presentEntry } from './audit'
import { listOf } from '../fields/answer-fields'
import { answerExamples, invoiceId } from '../invoices/examples'
import type { ApiTable } from '../routes/api-route'

export interface TimelineDeps {
  invoices: Service<InvoicesService>
}

/** Oldest first. Throws `INVOICE_NOT_FOUND`. */
const read =
  ({ invoices }: TimelineDeps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const { entries } = await invoices.listAuditOfInvoice({ invoiceId }, createCall(response))
    sendOk(response, { content: entries.map(presentEntry) })
  }

const { signed } = answerExamples.created
const { accepted } = answerExamples.read
const example = [
  {
    at: signed.createdAt,
    actor: 'api-key:5d2f7c1a',
    action: 'invoice.created',
    from: null,
    to: 'SIGNED',
  },
  {
    at: accepted.updatedAt,
    actor: 'service:clearance',
    action: 'invoice.transmitted',
    from: 'SIGNED',
    to: 'TRANSMITTED',
  },
]

export const timelineRoutes: ApiTable<TimelineDeps> = {
  '/:id/audit': {
    GET: {
      handle: read,
      operationId: 'readTimeline',
      summary: 'Read the history of one invoice, oldest entry first.',
      description:
        'Every step with its time, its author, the statuses before and after, and the answer of the tax authority. At most the newest 500 steps.',
      parameters: [invoiceIdParameter],
      answer: {
        name: 'Timeline',
        schema: listOf(auditEntrySchema),
        examples: {
          signed: { content: example.map((entry) => ({ ...entry, invoiceId, detail: null })) },
        },
      },
      errors: ['INVOICE_NOT_FOUND'],
    },
  },
}
