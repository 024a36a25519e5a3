import { unavailable } from '@einvoicing/domain/api-error'
import { deadlinesMs } from '@einvoicing/domain/limits'
import { Slots } from '@einvoicing/runtime/slots'
import type { mongo } from 'mongoose'
import { auditWindow, AuditPageWriter, type AuditPageRequest } from './audit-page'
import type { ChainLinks } from './mongo-audit-chain'

const readingMax = 4
const waitingMax = 200
const entriesAtOnce = 100

export class AuditTurns {
  private readonly slots = new Slots({ count: readingMax, waitingMax, toError: noTurn })
  private readonly links: Pick<ChainLinks, 'chainEntries'>

  constructor(links: AuditTurns['links']) {
    this.links = links
  }

  /** SERVICE_UNAVAILABLE if too many wait, or too long. A held chain is waited for outside. */
  async run<T>(organizationId: string, read: () => Promise<T | 'held'>): Promise<T> {
    const signal = AbortSignal.timeout(deadlinesMs.rpc)
    for (;;) {
      const page = await this.slots.run(organizationId, signal, async () => {
        if (signal.aborted) throw noTurn()
        return read()
      })
      if (page !== 'held') return page
      await this.links.chainEntries(organizationId)
    }
  }
}

const noTurn = () => unavailable('The audit log', new Error('the read did not get its turn'))

interface Reading<Document, Entry> {
  request: AuditPageRequest & { momentsOnly?: boolean | undefined }
  toEntry: (document: Document) => Entry
  momentPath: string
}

export async function readAuditPage<Document extends object, Entry extends { at: string }>(
  found: mongo.FindCursor<Document>,
  { request, toEntry, momentPath }: Reading<Document, Entry>,
) {
  const { offset, count } = auditWindow(request)
  const writer = new AuditPageWriter<Entry>(request)
  if (count === 0) return writer.end()
  found.skip(offset).limit(count)
  if (request.momentsOnly) {
    const documents = await found.project<Document>({ _id: 0, [momentPath]: 1 }).toArray()
    return { ...writer.end(), moments: { at: documents.map((one) => toEntry(one).at) } }
  }
  for await (const document of found.batchSize(entriesAtOnce)) {
    if (!writer.add(toEntry(document))) break
  }
  return writer.end()
}
