import { callerOrganization, type Caller } from '@einvoicing/rpc/caller'
import { limits } from '@einvoicing/domain/limits'
import { invoiceNotFound } from '@einvoicing/domain/api-error'
import { checkDependencies, type Probe } from '@einvoicing/rpc/readiness'
import type { Service } from '@einvoicing/rpc/call'
import type { AuditPage } from '@einvoicing/proto/invoice'
import type {
  InvoiceChanges,
  InvoiceId,
  InvoiceIds,
  InvoiceNumbers,
  InvoicesService,
  ListChangesRequest,
} from '@einvoicing/proto/invoices'
import { cancelInvoice } from '../cancel-invoice'
import { createInvoice } from '../create-invoice'
import { creditInvoice } from '../credit/credit-invoice'
import { withCreditStatuses } from '../credit/credit-statuses'
import type { Deps } from '../deps'
import { findInvoice, findSignedInvoice } from '../find-invoice'
import { previewInvoice } from '../preview-invoice'
import { readOverview } from '../read-overview'
import { readSignedXml } from '../read-signed-xml'
import { resubmitInvoice } from '../resubmit-invoice'
import { signDraft } from '../sign-draft'
import { shareAnswers } from '../share-answers'
import type { InvoiceStore } from '../store/store'
import { checkEditable, updateInvoice } from '../update-invoice'

const numbersReadMax = 100

export function invoicesHandlers(deps: Deps, probes: readonly Probe[]): Service<InvoicesService> {
  const { store, log } = deps
  const readOrganizationOverview = shareAnswers((...question: [string, string]) =>
    store.readOrganizationOverview(...question),
  )
  return {
    createInvoice: (request, call) => createInvoice(deps, request, call),
    creditInvoice: (request, call) => creditInvoice(deps, request, call),
    previewInvoice: async (request, call) => previewInvoice(deps, request, call),
    updateInvoice: (request, call) => updateInvoice(deps, request, call),
    checkEditable: (request, call) => checkEditable(deps, request, call),
    cancelInvoice: (request, call) => cancelInvoice(deps, request, call),
    signInvoice: (request, call) => signDraft(deps, request, call),
    resubmitInvoice: async (request, call) =>
      withCreditStatuses(store, await resubmitInvoice(deps, request, call)),
    readSignedXml: (request, call) => readSignedXml(deps, request, call),
    findSignedInvoice: (request, call) => findSignedInvoice(deps, request, call),
    findInvoice: (request) => findInvoice(deps, request),

    async getInvoice({ invoiceId }, { caller }) {
      const invoice = await store.get(callerOrganization(caller), invoiceId)
      if (!invoice) throw invoiceNotFound()
      return withCreditStatuses(store, invoice)
    },
    readNumbers: (request, { caller }) => readNumbers(store, request, caller),
    listInvoices: (request, { caller }) => store.list(callerOrganization(caller), request),
    readOverview: (request, call) =>
      readOverview({ ...deps, readOrganizationOverview }, request, call),
    listChanges: (request, { caller }) => listChanges(deps, request, caller),
    listInvoiceAudit: (page, { caller }) => store.listAudit(callerOrganization(caller), page),
    listAuditOfInvoice: (request, { caller }) => listAuditOfInvoice(store, request, caller),
    checkInvoices: (_, call) => checkDependencies(probes, { call, log }),
  }
}

async function readNumbers(
  store: InvoiceStore,
  { invoiceIds }: InvoiceIds,
  caller: Caller,
): Promise<InvoiceNumbers> {
  if (invoiceIds.length > numbersReadMax) throw new Error(`at most ${numbersReadMax} invoices`)
  const summaries = await store.readSummaries(callerOrganization(caller), invoiceIds)
  const numbers = [...summaries].map(([invoiceId, { invoiceNumber }]) => {
    return { invoiceId, invoiceNumber }
  })
  return { numbers }
}

async function listChanges(
  { store, now }: Deps,
  { aheadMs, ...request }: ListChangesRequest,
  caller: Caller,
): Promise<InvoiceChanges> {
  const organizationId = callerOrganization(caller)
  // Before the read, so that the next one finds what is committed in between.
  const present = now()
  const at = present.toISOString()
  const until =
    aheadMs === undefined ? undefined : new Date(present.getTime() + aheadMs).toISOString()
  const count = Math.min(request.count, limits.changesListed)
  const isWanted = request.since !== '' && count > 0
  const query = { ...request, count, until }
  const changes = isWanted ? await store.listChanges(organizationId, query) : []
  return { changes, at }
}

async function listAuditOfInvoice(
  store: InvoiceStore,
  { invoiceId }: InvoiceId,
  caller: Caller,
): Promise<AuditPage> {
  const count = limits.auditEntriesOfInvoice
  const entries = await store.listAuditOfInvoice(callerOrganization(caller), invoiceId, count)
  if (entries.length === 0) throw invoiceNotFound()
  return { entries, total: entries.length }
}
