/** Fills an empty invoice store past its port: a million invoices in a minute, not in an hour. */

import { createHash } from 'node:crypto'
import type { Invoice, InvoiceStatus } from '@einvoicing/proto/invoice'
import { openSqlite } from '@einvoicing/stores/sqlite'
import { toChange, uncounted } from '@einvoicing/invoices/store/mongo/counted-row'
import { toContent } from '@einvoicing/invoices/store/mongo/documents'
import { listIndexes } from '@einvoicing/invoices/store/sqlite/prepare-lists'
import { migrations } from '@einvoicing/invoices/store/sqlite/schema'
import { MongoClient } from 'mongodb'
import { seededRandom, type Random } from '../stack/random'

const rowsAtOnce = 5_000
const invoicesOfBuyer = 25
const dayMs = 86_400_000
const firstDay = Date.UTC(2025, 0, 1)
const days = 500

// The store may have been open before.
const unfold = [
  ...Object.keys(listIndexes).map((name) => `DROP INDEX IF EXISTS ${name}`),
  ...['list_row', 'list_preceding', 'list_stale'].map((table) => `DELETE FROM ${table}`),
  'UPDATE list_state SET folded_to = 0, ready = 0',
].join(';')

/** As an older version left it: opening the store next fills what lists need. */
export function seedSqlite(file: string, count: number, organizationId: string): void {
  const database = openSqlite(file, migrations)
  const insert = database.prepare(
    `INSERT INTO invoice (id, organization_id, invoice_number, status, buyer_ice, buyer_name,
       invoice_date, due_date, amount_ht, amount_vat, amount_ttc, clearance_started_at, created_at,
       updated_at, content, lines)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const invoices of makePages(count, organizationId)) {
    database.exec('BEGIN')
    for (const { lines, ...content } of invoices) {
      const { id, invoiceNumber, status, buyerIce, buyerName, invoiceDate, dueDate } = content
      const { amountHt, amountVat, amountTtc, clearanceStartedAt, createdAt, updatedAt } = content
      insert.run([
        ...[id, organizationId, invoiceNumber, status, buyerIce, buyerName, invoiceDate, dueDate],
        ...[amountHt, amountVat, amountTtc, clearanceStartedAt, createdAt, updatedAt],
        ...[JSON.stringify(content), JSON.stringify(lines)],
      ])
    }
    database.exec('COMMIT')
  }
  database.exec(unfold)
  database.close()
}

/** Into a database whose collections the store has made; counted already, as it counts them. */
export async function seedMongo(url: string, count: number, organizationId: string): Promise<void> {
  const client = await MongoClient.connect(url, { ignoreUndefined: true })
  try {
    const db = client.db()
    const invoices = db.collection<{ _id: string }>('invoices')
    const rows = db.collection<{ _id: string }>('invoice_counted')
    // Forty indexes are built at once in a fraction of the time that inserts need for them.
    const indexes = (await invoices.indexes()).filter(({ name }) => name !== '_id_')
    await invoices.dropIndexes()
    const counts: Record<string, number> = {}
    for (const page of makePages(count, organizationId)) {
      const documents = page.map((invoice) => {
        const { order, ...content } = toContent(invoice)
        counts[`counts.${invoice.status}`] = (counts[`counts.${invoice.status}`] ?? 0) + 1
        const counted = { order: { ...order, counted: true } }
        return { _id: invoice.id, organizationId, ...content, ...counted }
      })
      const counted = documents.map((document) => {
        const { id, after } = toChange(document)
        return { _id: id, ...after }
      })
      await Promise.all([
        invoices.insertMany(documents, { ordered: false }),
        rows.insertMany(counted, { ordered: false }),
      ])
    }
    await invoices.createIndexes(indexes.map(({ v: _version, ...index }) => index))
    await db
      .collection<{ _id: string }>('invoice_list_counts')
      .updateOne({ _id: organizationId }, { $inc: { sequence: 1, ...counts } }, { upsert: true })
  } finally {
    await client.close()
  }
}

const lookEveryMs = 500

/** The store counts in the background what was filled past it. */
export async function untilCounted(url: string): Promise<void> {
  const client = await MongoClient.connect(url)
  try {
    const invoices = client.db().collection('invoices')
    const left = { ...uncounted, organizationId: { $gte: '' } }
    const options = { projection: { _id: 1 }, hint: 'uncounted' }
    while (await invoices.findOne(left, options)) {
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  } finally {
    await client.close()
  }
}

function* makePages(count: number, organizationId: string): Generator<Invoice[]> {
  const random = seededRandom(1)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const size = Math.min(rowsAtOnce, count - from)
    yield Array.from({ length: size }, (_, index) => ({
      ...anInvoice(from + index, count, random),
      organizationId,
    }))
  }
}

function anInvoice(index: number, count: number, random: Random): Omit<Invoice, 'organizationId'> {
  const at = firstDay + Math.floor((index / count) * days * dayMs)
  const createdAt = new Date(at).toISOString()
  const buyer = random.int(1, count / invoicesOfBuyer)
  const amountHt = random.int(100, 100_000_000)
  const amountVat = Math.round(amountHt / 5)
  return {
    id: toId(index),
    status: pickStatus(random.int(1, 100)),
    issuer: undefined,
    invoiceNumber: `F-${String(index).padStart(8, '0')}`,
    invoiceDate: toDay(at - random.int(0, 20) * dayMs),
    dueDate: toDay(at + random.int(10, 60) * dayMs),
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerIce: String(buyer).padStart(15, '0'),
    buyerName: `Société ${buyer} SARL`,
    buyerAddress: `${buyer}, boulevard Mohammed V, Casablanca`,
    lines: [
      {
        lineNumber: 1,
        description: 'Prestation de conseil à Casablanca',
        quantity: '1',
        unitPrice: String(amountHt / 100),
        vatRate: 20,
        amountHt,
      },
    ],
    amountHt,
    amountVat,
    amountTtc: amountHt + amountVat,
    vatSubtotals: [{ vatRate: 20, taxableAmount: amountHt, vatAmount: amountVat }],
    clearanceStartedAt: createdAt,
    signedAt: createdAt,
    createdAt,
    updatedAt: new Date(at + 5_000).toISOString(),
  }
}

function toId(index: number): string {
  const hex = createHash('sha256').update(String(index)).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function pickStatus(percent: number): InvoiceStatus {
  if (percent <= 90) return 'ACCEPTED'
  if (percent <= 95) return 'REJECTED'
  if (percent <= 98) return 'CANCELLED'
  return percent === 99 ? 'FAILED' : 'PENDING'
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
