/** Bounds memory: 10,000 waiting writes of 10 MiB would not fit. */

import { unavailable } from '@einvoicing/domain/api-error'
import type { InvoiceStore, Write } from './store'

const bytesMaxDefault = 128 * 1024 * 1024
/** Generous: an invoice without lines and XML, and one line. */
const invoiceBytes = 4 * 1024
const lineBytes = 1024

type Estimated = Pick<Write, 'invoice' | 'xml'>
type Hold = <T>(writes: readonly Estimated[], commit: () => Promise<T>) => Promise<T>

/** Over `bytesMax` a write is SERVICE_UNAVAILABLE at once, and not stored. */
export function createHold(bytesMax: number): Hold {
  let bytesHeld = 0
  return async (writes, commit) => {
    const bytes = writes.reduce((sum, write) => sum + estimateBytes(write), 0)
    // What is changed together cannot be divided, so its own size alone never rejects it.
    const isTogetherAlone = writes.length > 1 && bytesHeld === 0
    if (bytesHeld + bytes > bytesMax && !isTogetherAlone) {
      throw unavailable('The invoice store', new Error(`${bytesHeld} bytes wait to be written`))
    }
    bytesHeld += bytes
    try {
      return await commit()
    } finally {
      bytesHeld -= bytes
    }
  }
}

export function boundWrites(store: InvoiceStore, bytesMax = bytesMaxDefault): InvoiceStore {
  const hold = createHold(bytesMax)
  return {
    ...store,
    create: (write) => hold([write], () => store.create(write)),
    change: (seen, write) => hold([write], () => store.change(seen, write)),
    changeTogether: (changes) =>
      hold(
        changes.map(({ write }) => write),
        () => store.changeTogether(changes),
      ),
  }
}

function estimateBytes({ invoice, xml }: Estimated): number {
  return invoiceBytes + invoice.lines.length * lineBytes + (xml?.length ?? 0)
}
