import type { Service } from '@einvoicing/rpc/call'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { presentPage } from '../invoices/present'
import { InvoiceNumbers } from './invoice-numbers'
import { auditRules, readAuditQuery } from './audit-query'
import { z } from 'zod'
import { pageOf, time, uuid } from '../fields/answer-fields'
import { invoiceId } from '../invoices/examples'
import type { ApiTable } from '../routes/api-route'
import { at } from './examples'

export interface AuditDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
}

// A page of two merged logs needs everything newer from both.
const entriesReadMax = 10_000

const read =
  ({ organizations, invoices }: AuditDeps): Handle =>
  async (request, response) => {
    const { page, size, ...filters } = readAuditQuery(request.url)
    const newest = { ...filters, page: 0, size: (page + 1) * size }
    if (newest.size > entriesReadMax) {
      const message = `must not reach past the newest ${entriesReadMax} entries`
      throw createValidationError([{ field: 'page', message }])
    }
    const [theirs, ours] = await Promise.all([
      organizations.listOrganizationAudit(newest, createCall(response)),
      invoices.listInvoiceAudit(newest, createCall(response)),
    ])
    const shown = mergeNewestFirst(theirs.entries, ours.entries).slice(page * size, newest.size)
    const total = theirs.total + ours.total
    const numbers = await new InvoiceNumbers(invoices, createCall(response)).find(shown)
    const content = shown.map((entry, index) => ({
      ...presentEntry(entry),
      invoiceNumber: numbers[index] ?? null,
    }))
    sendOk(response, presentPage(content, { page, size }, total))
  }

/** Entries of one moment keep the order of their log, so pages do not overlap when more is read. */
export function mergeNewestFirst(
  one: readonly AuditEntry[],
  other: readonly AuditEntry[],
): AuditEntry[] {
  const merged: AuditEntry[] = []
  let next = 0
  const takeWhile = (isNewer: (entry: AuditEntry) => boolean) => {
    for (let entry = other[next]; entry && isNewer(entry); entry = other[next]) {
      merged.push(entry)
      next += 1
    }
  }
  for (const entry of one) {
    takeWhile(({ at }) => at > entry.at)
    merged.push(entry)
  }
  takeWhile(() => true)
  return merged
}

export const auditEntrySchema = z.object({
  at: time,
  actor: z.string().meta({ examples: ['user:name@example.com', 'service:clearance'] }),
  action: z.string().meta({ examples: ['invoice.created'] }),
  invoiceId: uuid.nullable(),
  from: z.string().nullable().describe('The status before; null at creation.'),
  to: z.string().nullable().describe('The status after; null where the status did not change.'),
  detail: z.string().nullable(),
})

export function presentEntry(entry: AuditEntry): z.infer<typeof auditEntrySchema> {
  const { at, actor, action } = entry
  const { invoiceId = null, from = null, to = null, detail = null } = entry
  return { at, actor, action, invoiceId, from, to, detail }
}

const example = {
  at,
  actor: 'api-key:5d2f7c1a-90b3-4f6e-8a7d-1c2b3a4d5e6f',
  action: 'invoice.created',
  invoiceId,
  from: null,
  to: 'SIGNED',
  detail: null,
}

export const auditRoutes: ApiTable<AuditDeps> = {
  '/audit': {
    GET: {
      handle: read,
      operationId: 'readAudit',
      summary: 'Read the audit log, newest first; the newest 10,000 entries at most.',
      description:
        'Every status change of an invoice and every change to legal details and API keys, with its author and time.',
      query: auditRules,
      answer: {
        name: 'AuditPage',
        schema: pageOf(auditEntrySchema.extend({ invoiceNumber: z.string().nullable() })),
        examples: {
          page: presentPage(
            [{ ...example, invoiceNumber: 'F-2026-0001' }],
            { page: 0, size: 20 },
            1,
          ),
        },
      },
      errors: ['VALIDATION_ERROR'],
    },
  },
}
