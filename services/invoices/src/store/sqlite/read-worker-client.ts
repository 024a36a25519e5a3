import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Fail } from '@einvoicing/runtime/serve'
import { ReadThread } from '@einvoicing/stores/sqlite-read-thread'
import type { AuditPage } from '@einvoicing/proto/invoice'
import type { InvoicePage } from '@einvoicing/proto/invoices'
import type { Queries, Query, QueryAnswer, QueryWorkerData } from './read-worker'
import type { ListFolding } from './list-folding'
import type { SqliteThread } from './write-worker-client'
import type { InvoiceStore } from '../store'

const workerFile = path.join(__dirname, 'read-worker.js')

export interface QueryThread extends Pick<InvoiceStore, keyof Queries | 'close'> {
  listAudit(
    ...question: [...Parameters<InvoiceStore['listAudit']>, signal?: AbortSignal]
  ): Promise<AuditPage>
  check(): void
}

export function openQueryThread(
  file: string,
  { writer, folding, fail }: { writer: SqliteThread; folding: ListFolding; fail: Fail },
): QueryThread {
  const { port1: changes, port2: port } = new MessageChannel()
  const isWanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new ReadThread<Query, QueryAnswer>(workerFile, {
    what: 'The invoice list',
    thread: 'listing',
    workerData: { file, changes, isWanted } satisfies QueryWorkerData,
    transferList: [changes],
    onDeath: (cause) => fail(new Error('The listing thread died.', { cause })),
  })
  writer.subscribe({ port, isWanted })
  const send: Send = (name, args, signal) => {
    const [lane = ''] = args
    return thread.read({ name, args }, { lane, ...(signal && { signal }) }) as Promise<never>
  }

  return {
    list: listFolded(send, folding),
    listChanges: (...args) => send('listChanges', args),
    listAudit: (organizationId, request, signal) =>
      send('listAudit', [organizationId, request], signal),
    listAuditOfInvoice: (...args) => send('listAuditOfInvoice', args),
    readOrganizationOverview: (...args) => send('readOrganizationOverview', args),
    backlogs: () => send('backlogs', []),
    countByStatus: () => send('countByStatus', []),
    check: () => thread.check(),
    close: () => thread.close(),
  }
}

type Send = <Name extends keyof Queries>(
  name: Name,
  args: Parameters<Queries[Name]>,
  signal?: AbortSignal,
) => Promise<ReturnType<Queries[Name]>>

function listFolded(send: Send, folding: ListFolding): InvoiceStore['list'] {
  return async (organizationId, request) => {
    const signal = AbortSignal.timeout(deadlinesMs.rpc)
    const page = await send('list', [organizationId, request, false], signal)
    if (page !== 'fold-first') return page
    await folding.fold()
    return (await send('list', [organizationId, request, true], signal)) as InvoicePage
  }
}
