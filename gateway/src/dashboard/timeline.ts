/** What one invoice went through, step by step. */

import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { readInvoiceId } from '../invoices/invoice-id'
import { presentEntry } from './audit'

export interface TimelineDeps {
  invoices: Service<InvoicesService>
}

/** Below an invoice. */
export function timelineRoutes({ invoices }: TimelineDeps): RouteTable {
  return { '/:id/audit': { GET: read(invoices) } }
}

/** Oldest first. INVOICE_NOT_FOUND. */
const read =
  (invoices: Service<InvoicesService>): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const { entries } = await invoices.listAuditOfInvoice({ invoiceId }, createCall(response))
    sendOk(response, { content: entries.map(presentEntry) })
  }
