/** In the order of ids, so that two transactions never wait for each other. */

import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import { inTransaction } from '@einvoicing/stores/mongo-transaction'
import type { mongo } from 'mongoose'
import type { Writer } from './writer'
import { getInvoiceCollection, type InvoiceDocument } from './schema'
import { newDocument, toFilter, toUpdate } from './written-documents'
import type { Change, InvoiceStore } from '../store'

type Operation = (
  invoices: mongo.Collection<InvoiceDocument>,
  session: mongo.ClientSession,
) => Promise<boolean>

export async function changeTogether(
  mongo: Mongo,
  writer: Writer,
  changes: readonly Change[],
): ReturnType<InvoiceStore['changeTogether']> {
  const sorted = changes.toSorted((a, b) => (a.write.invoice.id < b.write.invoice.id ? -1 : 1))
  const operations = await Promise.all(sorted.map((change) => toOperation(change, writer)))
  try {
    return await mongo.write((db) =>
      inTransaction(db, 'The invoice store', async (session) => {
        for (const operate of operations) {
          if (await operate(getInvoiceCollection(db), session)) continue
          await session.abortTransaction()
          return 'moved'
        }
        return 'changed'
      }),
    )
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
