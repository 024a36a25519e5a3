/** Also copies the audit entry of the same write, so that one update removes both. */

import type { mongo } from 'mongoose'
import { insertLinkedEntries, listEntries, type Audited, type Copying } from './audit-entries'
import type { Writer } from './writer'
import { getInvoiceCollection, type InvoiceDocument } from './schema'
import type { InvoiceStore, Position } from '../store'

export function outbox(
  copying: Copying,
  writer: Writer,
): Pick<InvoiceStore, 'listOutbox' | 'forgetOutbox'> {
  const { mongo } = copying
  /** Entries of the last page, by the position of the events written with them. */
  let listed = new Map<Position, Audited>()
  return {
    async listOutbox(after, count) {
      const projection = { organizationId: 1, outgoing: 1, unaudited: 1 } as const
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(writer.mine('outgoing', after), { projection })
          .sort({ 'outgoing.position': 1 })
          .limit(count)
          .toArray(),
      )
      listed = new Map()
      return found.flatMap((document) => {
        const { outgoing } = document
        const position = outgoing?.position ?? ''
        if (document.unaudited?.position === position) listed.set(position, document)
        return (outgoing?.facts ?? []).map((event) => ({ position, event }))
      })
    },
    async forgetOutbox(positions) {
      const audited = [...new Set(positions)].flatMap((position) => listed.get(position) ?? [])
      // Else the audit's own loop copies them, or reports the error: events do not wait for it, as
      // for the minute in which a killed process still holds the end of a chain.
      const isCopied = await insertLinkedEntries(copying, listEntries(audited)).catch(() => false)
      const published = { 'outgoing.position': { $in: positions } }
      const unset = (filter: mongo.Filter<InvoiceDocument>, fields: mongo.Document) =>
        mongo.write(async (db) => {
          const update = { $unset: fields }
          return (await getInvoiceCollection(db).updateMany(filter, update)).matchedCount
        })
      // If an event or entry was added in between, its position differs, and all of them stay.
      const copied = { ...published, 'unaudited.position': { $in: positions } }
      const both = isCopied ? await unset(copied, { outgoing: 1, unaudited: 1 }) : 0
      if (both < new Set(positions).size) await unset(published, { outgoing: 1 })
    },
  }
}
