/**
 * The audit log: what the organizations service and the invoices service each wrote, read as one,
 * newest first.
 */

import type { Service } from '@einvoicing/rpc/call'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { presentPage } from '../invoices/present'
import { readAuditQuery } from './audit-query'

export interface AuditDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
}

export function auditRoutes(deps: AuditDeps): RouteTable {
  return { '/audit': { GET: read(deps) } }
}

// To show a page of two logs merged, everything newer has to be read from both.
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
    sendOk(response, presentPage(shown.map(presentEntry), { page, size }, total))
  }

/**
 * Each log comes newest first; entries of one moment keep the order of their log, so that what is
 * read more of never moves what was read before, and pages do not overlap.
 */
export function mergeNewestFirst(
  one: readonly AuditEntry[],
  other: readonly AuditEntry[],
): AuditEntry[] {
  const merged: AuditEntry[] = []
  let taken = 0
  const takeWhile = (isNewer: (entry: AuditEntry) => boolean) => {
    for (let entry = other[taken]; entry && isNewer(entry); entry = other[taken]) {
      merged.push(entry)
      taken += 1
    }
  }
  for (const entry of one) {
    takeWhile(({ at }) => at > entry.at)
    merged.push(entry)
  }
  takeWhile(() => true)
  return merged
}

export function presentEntry({ at, actor, action, invoiceId, from, to, detail }: AuditEntry) {
  return {
    at,
    actor,
    action,
    invoiceId: invoiceId ?? null,
    from: from ?? null,
    to: to ?? null,
    detail: detail ?? null,
  }
}
