/** In the order of ids, so that two transactions never wait for each other. */

import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import { unavailable } from '@einvoicing/domain/api-error'
import type { mongo } from 'mongoose'
import type { Writer } from './pending-work'
import { getInvoiceCollection, type InvoiceDocument } from './schema'
import { newDocument, toFilter, toUpdate } from './written-documents'
import type { Change, InvoiceStore } from '../store'

// The driver would retry for two minutes, long after the caller's deadline.
const beginAgainMs = 3_000

type Operation = (
  invoices: mongo.Collection<InvoiceDocument>,
  session: mongo.ClientSession,
) => Promise<boolean>

export async function changeTogether(
  server: Mongo,
  writer: Writer,
  changes: readonly Change[],
): ReturnType<InvoiceStore['changeTogether']> {
  const sorted = changes.toSorted((a, b) => (a.write.invoice.id < b.write.invoice.id ? -1 : 1))
  const operations = await Promise.all(sorted.map((change) => toOperation(change, writer)))
  try {
    return await server.write((db) => inTransaction(db, operations))
  } catch (error) {
    if (isDuplicateKey(error)) return 'number-taken'
    throw error
  }
}

async function toOperation({ seen, write }: Change, writer: Writer): Promise<Operation> {
  if (seen) {
    const update = await toUpdate(write, writer)
    return async (invoices, session) =>
      (await invoices.updateOne(toFilter(seen, write), update, { session })).matchedCount === 1
  }
  const document = await newDocument(write, writer)
  return async (invoices, session) => (await invoices.insertOne(document, { session })).acknowledged
}

async function inTransaction(
  db: mongo.Db,
  operations: readonly Operation[],
): Promise<'changed' | 'moved'> {
  const beginUntil = Date.now() + beginAgainMs
  const session = db.client.startSession()
  try {
    return await session.withTransaction(async () => {
      // All attempts so far were rolled back.
      if (Date.now() > beginUntil) throw unavailable('The invoice store')
      for (const operate of operations) {
        if (await operate(getInvoiceCollection(db), session)) continue
        await session.abortTransaction()
        return 'moved'
      }
      return 'changed'
    })
  } finally {
    await session.endSession()
  }
}
