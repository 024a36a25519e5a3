import type { Service } from '@einvoicing/rpc/call'
import type { AuditEntry, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { presentPage } from '../invoices/present'
import { InvoiceNumbers } from './invoice-numbers'
import { readMergedPage, type ReadAuditLog } from './audit-pages'
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

const entriesReadMax = 10_000

const read =
  ({ organizations, invoices }: AuditDeps): Handle =>
  async (request, response) => {
    const { page, size, ...filters } = readAuditQuery(request.url)
    if ((page + 1) * size > entriesReadMax) {
      const message = `must stay within the newest ${entriesReadMax} entries`
      throw createValidationError([{ field: 'page', message }])
    }
    const accountLog: ReadAuditLog = (query) =>
      organizations.listOrganizationAudit(query, createCall(response))
    const invoiceLog: ReadAuditLog = isOfAccounts(filters)
      ? async () => ({ entries: [], total: 0 })
      : (query) => invoices.listInvoiceAudit(query, createCall(response))
    const query = { ...filters, page, size }
    const { entries: shown, total } = await readMergedPage([accountLog, invoiceLog], query)
    const numbers = await new InvoiceNumbers(invoices, () => createCall(response)).find(shown)
    const content = shown.map((entry, index) => ({
      ...presentLogged(entry),
      invoiceNumber: numbers[index] ?? null,
    }))
    sendOk(response, presentPage(content, { page, size }, total))
  }

/** Only entries about accounts have network and device. */
export function isOfAccounts({ network, device }: Pick<ListAuditRequest, 'network' | 'device'>) {
  return network !== undefined || device !== undefined
}

export const auditEntrySchema = z.object({
  at: time,
  actor: z.string().meta({ examples: ['user:name@example.com', 'service:clearance'] }),
  action: z.string().meta({ examples: ['invoice.created'] }),
  invoiceId: uuid.nullable(),
  from: z.string().nullable().describe('The status before; null at creation.'),
  to: z.string().nullable().describe('The status after; null if the status did not change.'),
  detail: z.string().nullable(),
})

const loggedEntrySchema = auditEntrySchema.extend({
  network: z
    .string()
    .nullable()
    .describe(
      'Where a change to an account came from: an IPv4 address, or the /64 network of an IPv6 address; null for invoices.',
    ),
  device: z
    .string()
    .nullable()
    .describe('The `User-Agent` of the client that changed an account; null for invoices.'),
  seq: z
    .int()
    .nullable()
    .describe(
      'The position in the chain of the organization, from 1. Invoices have a chain of their own. null for an entry that is older than the chain.',
    ),
  hash: z
    .string()
    .nullable()
    .describe('SHA-256 of the entry and the hash of the previous one, in hexadecimal.'),
})

export function presentEntry(entry: AuditEntry): z.infer<typeof auditEntrySchema> {
  const { at, actor, action } = entry
  const { invoiceId = null, from = null, to = null, detail = null } = entry
  return { at, actor, action, invoiceId, from, to, detail }
}

export function presentLogged(entry: AuditEntry): z.infer<typeof loggedEntrySchema> {
  const { network = null, device = null, seq = null, hash = null } = entry
  return { ...presentEntry(entry), network, device, seq, hash }
}

const example = {
  at,
  actor: 'api-key:5d2f7c1a-90b3-4f6e-8a7d-1c2b3a4d5e6f',
  action: 'invoice.created',
  invoiceId,
  from: null,
  to: 'SIGNED',
  detail: null,
  network: null,
  device: null,
  seq: 1,
  hash: 'b9fc689650c74aeb706c4d5d0d95d393c32727a668f1a503ce8bc7696bd8bbb2',
}

export const auditRoutes: ApiTable<AuditDeps> = {
  '/audit': {
    GET: {
      handle: read,
      operationId: 'readAudit',
      summary: 'Read the audit log, newest first; the newest 10,000 entries at most.',
      description:
        'Every status change of an invoice, every change to the organization, its members, accounts and API keys, every sign-in and every command of the operator, with its author and time. In a very large log a filter may need longer than a request may take: narrow it with `from` and `to`.',
      query: auditRules,
      answer: {
        name: 'AuditPage',
        schema: pageOf(loggedEntrySchema.extend({ invoiceNumber: z.string().nullable() })),
        examples: {
          page: presentPage(
            [{ ...example, invoiceNumber: 'F-2026-0001' }],
            { page: 0, size: 20 },
            1,
          ),
        },
      },
    },
  },
}
