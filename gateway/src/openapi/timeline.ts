/** The path of what one invoice went through. */

import { invoiceIdParameter } from './invoices'
import { operation, type Paths } from './operation'
import { answers, invoiceId } from './samples'

const { createdAt } = answers.created.signed

const entries = [
  { at: createdAt, actor: 'api-key:5d2f7c1a', action: 'invoice.created', from: null, to: 'SIGNED' },
  {
    at: answers.read.accepted.updatedAt,
    actor: 'service:clearance',
    action: 'invoice.transmitted',
    from: 'SIGNED',
    to: 'TRANSMITTED',
  },
]

export const timelinePaths: Paths = {
  '/dashboard/api/invoices/{id}/audit': {
    get: operation({
      id: 'readTimeline',
      tag: 'Dashboard',
      summary: 'What one invoice went through, oldest first.',
      description:
        'Every step with its moment, who took it, the statuses before and after, and what the tax authority answered. Of more than 500 steps the newest.',
      caller: 'session',
      parameters: [invoiceIdParameter],
      answer: {
        data: 'Timeline',
        examples: {
          signed: { content: entries.map((entry) => ({ ...entry, invoiceId, detail: null })) },
        },
      },
      refusals: ['INVOICE_NOT_FOUND'],
    }),
  },
}
