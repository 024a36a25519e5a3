/** How long each kind of list takes, by how many invoices are stored: queries alone, medians. */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@einvoicing/domain/api-error'
import { openMongoStore } from '@einvoicing/invoices/store/mongo/mongo-store'
import { openSqliteStore } from '@einvoicing/invoices/store/sqlite/sqlite-store'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { createLog } from '@einvoicing/runtime/log'
import { startMongod } from '@einvoicing/servers/mongod'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import type { Table } from './report'
import { seedMongo, seedSqlite, untilCounted } from './seed-invoices'
import type { Kind } from './subject'

type Kinds = Record<string, (count: number) => Partial<ListInvoicesRequest>>

const organizationId = 'bench-organization'
const size = 20
const roundsWarm = 5
const rounds = 41

const at = (page: number) => ({ page: { page, size } })
const accepted = { status: 'ACCEPTED' } as const
const byAmount = { sortBy: 'amountTtc' } as const
const february = { invoiceDateFrom: '2025-02-01', invoiceDateTo: '2025-02-28' }

const kinds: Kinds = {
  first: () => at(0),
  middle: (count) => at(Math.floor(count / size / 2)),
  deep: (count) => at(Math.floor((count / size) * 0.9)),
  last: (count) => at(count / size - 1),
  'status, first': () => accepted,
  'status, middle': (count) => ({ ...accepted, ...at(Math.floor((count / size) * 0.45)) }),
  'rare status': () => ({ status: 'PENDING' }),
  'by amount, middle': (count) => ({ ...byAmount, ...at(Math.floor(count / size / 2)) }),
  'status by amount': () => ({ ...accepted, ...byAmount }),
  'status by amount, middle': (count) => {
    return { ...accepted, ...byAmount, ...at(Math.floor((count / size) * 0.45)) }
  },
  'rare status by amount': () => ({ status: 'FAILED', ...byAmount }),
  'search, a number': (count) => ({ search: `F-${String(count / 2).padStart(8, '0')}` }),
  'search, a buyer': () => ({ search: 'société 7 ' }),
  'search, nothing': () => ({ search: 'absent' }),
  'a buyer': () => ({ buyerIce: '7'.padStart(15, '0') }),
  'a month': () => february,
  'a month, by amount': () => ({ ...february, ...byAmount }),
  'a month, status': () => ({ ...february, ...accepted }),
}

interface Open {
  store: InvoiceStore
  openedMs: number
  remove(): Promise<void>
}

/** The last column is the last count against the first. */
export async function measureLists(kind: Kind, counts: readonly number[]): Promise<Table> {
  const measured: Record<string, number>[] = []
  for (const count of counts) measured.push(await measure(kind, count))
  const rows = Object.keys(measured[0] ?? {}).map((list) => {
    const times = measured.map((one) => one[list] as number)
    const cells = counts.map((count, index) => [`${count} invoices`, times[index]!.toFixed(2)])
    const ratio = (times.at(-1) as number) / (times[0] as number)
    return { milliseconds: list, ...Object.fromEntries(cells), ratio: ratio.toFixed(2) }
  })
  return {
    title: `Lists, ${kind}`,
    note: `The store alone, one organization; medians of ${rounds} queries, and the first one by itself.`,
    rows,
  }
}

async function measure(kind: Kind, count: number): Promise<Record<string, number>> {
  const { store, openedMs, remove } = await openers[kind](count)
  try {
    const medians: Record<string, number> = { 'to open': openedMs }
    for (const [name, toQuery] of Object.entries(kinds)) {
      const request = { sortBy: 'createdAt', descending: true, ...at(0), ...toQuery(count) }
      const list = async () => {
        const startedAt = performance.now()
        await untilAnswered(() => store.list(organizationId, request))
        return performance.now() - startedAt
      }
      medians[`${name}, once`] = await list()
      for (let round = 0; round < roundsWarm; round += 1) await list()
      const taken: number[] = []
      for (let round = 0; round < rounds; round += 1) taken.push(await list())
      medians[name] = taken.sort((one, other) => one - other)[rounds >> 1] as number
    }
    return medians
  } finally {
    await store.close()
    await remove()
  }
}

/** As a client does: on a slow machine the first search of a million needs longer than it may. */
async function untilAnswered(list: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await list()
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error
      await delay(1_000 * error.retryAfterSeconds)
    }
  }
}

const fail = (error: Error) => {
  throw error
}

const openers = {
  async standalone(count: number): Promise<Open> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lists-'))
    const file = path.join(folder, 'invoices.db')
    seedSqlite(file, count, organizationId)
    const log = createLog('info', process.stderr)
    await (await openSqliteStore(file, fail, log)).close()
    const startedAt = performance.now()
    const store = await openSqliteStore(file, fail)
    const openedMs = performance.now() - startedAt
    return { store, openedMs, remove: async () => fs.rmSync(folder, { recursive: true }) }
  },
  async services(count: number): Promise<Open> {
    const server = await startMongod()
    const url = server.url.replace(/\/(\?|$)/, '/lists$1')
    const options = { now: () => new Date(), log: createLog('warn', process.stderr) }
    const open = () => openMongoStore({ kind: 'mongodb', url }, options)
    await (await open()).close()
    await seedMongo(url, count, organizationId)
    const startedAt = performance.now()
    const store = await open()
    const openedMs = performance.now() - startedAt
    await untilCounted(url)
    return { store, openedMs, remove: () => server.dispose() }
  },
}
