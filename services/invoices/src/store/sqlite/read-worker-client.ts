import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Fail } from '@einvoicing/runtime/serve'
import { ReadThread } from '@einvoicing/stores/sqlite-read-thread'
import type { AuditEntry, AuditPage, InvoiceStatus } from '@einvoicing/proto/invoice'
import type { InvoiceChange, InvoicePage } from '@einvoicing/proto/invoices'
import type { ListAnswer, ListQuestion, ListWorkerData } from './read-worker'
import type { ListFolding } from './list-folding'
import type { SqliteThread } from './write-worker-client'
import type { Backlogs, InvoiceStore, OrganizationFigures } from '../store'

const listerFile = path.join(__dirname, 'read-worker.js')

type Listed =
  | 'list'
  | 'listChanges'
  | 'listAudit'
  | 'listInvoiceAudit'
  | 'readFigures'
  | 'backlogs'
  | 'countByStatus'

export interface ListThread extends Pick<InvoiceStore, Listed | 'close'> {
  listAudit(
    ...question: [...Parameters<InvoiceStore['listAudit']>, signal?: AbortSignal]
  ): Promise<AuditPage>
  check(): void
}

export function openListThread(
  file: string,
  { writer, folding, fail }: { writer: SqliteThread; folding: ListFolding; fail: Fail },
): ListThread {
  const { port1: changes, port2: port } = new MessageChannel()
  const isWanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new ReadThread<ListQuestion, ListAnswer>(listerFile, {
    what: 'The invoice list',
    thread: 'listing',
    workerData: { file, changes, isWanted } satisfies ListWorkerData,
    transferList: [changes],
    onDeath: (cause) => fail(new Error('The listing thread died.', { cause })),
  })
  writer.subscribe({ port, isWanted })
  const send: Send = (question, signal) =>
    thread.read(question, { lane: toLane(question), ...(signal && { signal }) })

  return {
    list: listFolded(send, folding),
    listChanges: (organizationId, request) =>
      send({ kind: 'changes', organizationId, request }) as Promise<InvoiceChange[]>,
    listAudit: (organizationId, request, signal) =>
      send({ kind: 'audit', organizationId, request }, signal) as Promise<AuditPage>,
    listInvoiceAudit: (organizationId, invoiceId, count) =>
      send({ kind: 'audit-of', organizationId, invoiceId, count }) as Promise<AuditEntry[]>,
    readFigures: (organizationId, since) =>
      send({ kind: 'figures', organizationId, since }) as Promise<OrganizationFigures>,
    backlogs: () => send({ kind: 'backlogs' }) as Promise<Backlogs>,
    countByStatus: () =>
      send({ kind: 'count-by-status' }) as Promise<Record<InvoiceStatus, number>>,
    check: () => thread.check(),
    close: () => thread.close(),
  }
}

type Send = (question: ListQuestion, signal?: AbortSignal) => Promise<ListAnswer>

function toLane(question: ListQuestion): string {
  return 'organizationId' in question ? question.organizationId : ''
}

function listFolded(send: Send, folding: ListFolding): InvoiceStore['list'] {
  return async (organizationId, request) => {
    const signal = AbortSignal.timeout(deadlinesMs.rpc)
    const question = { kind: 'invoices', organizationId, request } as const
    const answer = (await send({ ...question, isFolded: false }, signal)) as
      | InvoicePage
      | 'fold-first'
    if (answer !== 'fold-first') return answer
    await folding.fold()
    return (await send({ ...question, isFolded: true }, signal)) as InvoicePage
  }
}
