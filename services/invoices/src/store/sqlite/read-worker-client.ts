import path from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Fail } from '@einvoicing/runtime/serve'
import { threadMemory } from '@einvoicing/runtime/memory'
import type { AuditEntry, AuditPage, InvoiceStatus } from '@einvoicing/proto/invoice'
import type { InvoiceChange, InvoicePage } from '@einvoicing/proto/invoices'
import type {
  Answered,
  ReadRequest,
  ListAnswer,
  ListFailure,
  ListQuestion,
  ListWorkerData,
} from './read-worker'
import type { ListFolding } from './list-folding'
import type { SqliteThread } from './write-worker-client'
import type { Backlogs, InvoiceStore, OrganizationFigures } from '../store'

const waitingMax = 200

const listerFile = path.join(__dirname, 'read-worker.js')

interface Waiting {
  resolve: (answer: ListAnswer) => void
  reject: (error: Error) => void
}

type Listed =
  | 'list'
  | 'listChanges'
  | 'listAudit'
  | 'listInvoiceAudit'
  | 'readFigures'
  | 'backlogs'
  | 'countByStatus'

export interface ListThread extends Pick<InvoiceStore, Listed | 'close'> {
  check(): void
}

export function openListThread(
  file: string,
  { writer, folding, fail }: { writer: SqliteThread; folding: ListFolding; fail: Fail },
): ListThread {
  const { port1: changes, port2: port } = new MessageChannel()
  const isWanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(listerFile, {
    workerData: { file, changes, isWanted } satisfies ListWorkerData,
    transferList: [changes],
    resourceLimits: threadMemory,
  })
  writer.subscribe({ port, isWanted })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let dead: Error | undefined
  let closing = false
  const die = (error: Error) => {
    if (!dead && !closing) fail(new Error('The listing thread died.', { cause: error }))
    dead ??= error
    for (const { reject } of waiting.values()) reject(unavailable('The invoice list', dead))
    waiting.clear()
  }
  worker.on('error', die)
  worker.on('messageerror', die)
  worker.on('exit', () => die(new Error('the listing thread ended')))
  worker.on('message', (answered: Answered) => {
    const asker = waiting.get(answered.id)
    waiting.delete(answered.id)
    if ('answer' in answered) asker?.resolve(answered.answer)
    else asker?.reject(toError(answered))
  })

  const send = (question: ListQuestion): Promise<ListAnswer> => {
    if (dead) return Promise.reject(unavailable('The invoice list', dead))
    if (waiting.size >= waitingMax) {
      const cause = new Error(`${waitingMax} lists are waiting`)
      return Promise.reject(unavailable('The invoice list', cause))
    }
    return new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, question } satisfies ReadRequest)
    })
  }

  return {
    list: listFolded(send, folding),
    listChanges: (organizationId, request) =>
      send({ kind: 'changes', organizationId, request }) as Promise<InvoiceChange[]>,
    listAudit: (organizationId, request) =>
      send({ kind: 'audit', organizationId, request }) as Promise<AuditPage>,
    listInvoiceAudit: (organizationId, invoiceId, count) =>
      send({ kind: 'audit-of', organizationId, invoiceId, count }) as Promise<AuditEntry[]>,
    readFigures: (organizationId, since) =>
      send({ kind: 'figures', organizationId, since }) as Promise<OrganizationFigures>,
    backlogs: () => send({ kind: 'backlogs' }) as Promise<Backlogs>,
    countByStatus: () =>
      send({ kind: 'count-by-status' }) as Promise<Record<InvoiceStatus, number>>,
    check() {
      if (dead) throw unavailable('The invoice list', dead)
    },
    async close() {
      if (dead) return
      closing = true
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('close')
      await ended
    },
  }
}

type ReadPort = (question: ListQuestion) => Promise<ListAnswer>

function listFolded(send: ReadPort, folding: ListFolding): InvoiceStore['list'] {
  return async (organizationId, request) => {
    const question = { kind: 'invoices', organizationId, request } as const
    const answer = (await send({ ...question, isFolded: false })) as InvoicePage | 'fold-first'
    if (answer !== 'fold-first') return answer
    await folding.fold()
    return (await send({ ...question, isFolded: true })) as InvoicePage
  }
}

function toError({ error, passing }: ListFailure): Error {
  const cause = new Error(error)
  return passing ? unavailable('The invoice list', cause) : cause
}
