/**
 * What more stored invoices change: the restart, creations, reads and lists through the API, memory
 * after load, and how long the event loop is held up while large invoices are signed and drawn.
 */

import { requestJson, send } from '../stack/http'
import { newNumber } from '../stack/invoices'
import { readRssMib } from './cpu'
import { warmUp, withSubject, type Plan } from './creations'
import { createInvoices, usualLoad } from './load'
import { median, type Table } from './report'
import type { Kind, Subject } from './subject'

const rounds = 21
const size = 20
const loopSeconds = 10
const linesOfLarge = 2_000

const refusedMax = 20
const againMs = 500

type Measurements = Record<string, number>

interface Read {
  ms: number
  refused: number
  bytes: Buffer
}

export async function measureGrowth(
  kind: Kind,
  counts: readonly number[],
  plan: Plan,
): Promise<Table[]> {
  const measured: Measurements[] = []
  let loop: Table['rows'] = []
  for (const stored of counts) {
    await withSubject(kind, { held: true, stored }, async (subject) => {
      measured.push(await measureStored(subject, stored, plan))
      if (stored === counts[0]) loop = await measureLoop(subject)
    })
  }
  const rows = Object.keys(measured[0] ?? {}).map((what) => {
    const values = measured.map((one) => one[what] ?? 0)
    const cells = counts.map((stored, index) => [`${stored} stored`, toText(values[index] ?? 0)])
    const [first = 0] = values
    const ratio = first > 0 ? ((values.at(-1) ?? 0) / first).toFixed(2) : ''
    return { what, ...Object.fromEntries(cells), ratio }
  })
  const { connections, lines } = usualLoad
  return [
    {
      title: `Growth, ${kind}`,
      note: `By how many invoices the organization has; nothing is cleared or archived meanwhile. Creations with ${connections} connections and ${lines} lines for ${plan.seconds} s, warm; reads and lists of ${size} by HTTP, one after another, medians of ${rounds} in milliseconds.`,
      rows,
    },
    {
      title: `The event loop while invoices of ${linesOfLarge} lines are signed and drawn, ${kind}`,
      note: `Milliseconds that it comes late by the process's own measurement, over ${loopSeconds} s, and what /livez took.`,
      rows: loop,
    },
  ]
}

async function measureStored(subject: Subject, stored: number, plan: Plan): Promise<Measurements> {
  const lists = await measureReads(subject, stored)
  await warmUp(subject, plan.warmUp)
  const { perSecond, p50Ms, p99Ms } = await createInvoices(subject, usualLoad, plan.seconds)
  const [pid = 0] = Object.values(await subject.processes())
  return {
    'start to /readyz, ms': subject.startUpMs,
    'creations a second': perSecond,
    'creation p50, ms': p50Ms,
    'creation p99, ms': p99Ms,
    'RSS after load, MiB': readRssMib(pid),
    ...lists,
  }
}

async function measureReads({ url, key }: Subject, stored: number): Promise<Measurements> {
  const list = (query: string) => `${url}/v1/invoices?size=${size}&${query}`
  const pages = stored / size
  const { bytes } = await readUntilAnswered(list('page=0'), key)
  const { data } = JSON.parse(bytes.toString()) as { data: { content: { id: string }[] } }
  const reads = {
    'one invoice': `${url}/v1/invoices/${data.content[0]?.id}`,
    'first page': list('page=0'),
    'middle page': list(`page=${Math.floor(pages / 2)}`),
    'deep page': list(`page=${Math.floor(pages * 0.9)}`),
    'last page': list(`page=${pages - 1}`),
    'by status': list('status=ACCEPTED'),
    'by status and amount': list('status=ACCEPTED&sort=amountTtc,desc'),
    'a month': list('invoiceDateFrom=2025-02-01&invoiceDateTo=2025-02-28'),
    'search, a number': list(`search=F-${String(stored / 2).padStart(8, '0')}`),
  }
  const values: Measurements = { 'reads refused': 0 }
  for (const [what, address] of Object.entries(reads)) {
    const taken: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { ms, refused } = await readUntilAnswered(address, key)
      taken.push(ms)
      values['reads refused'] = (values['reads refused'] ?? 0) + refused
    }
    values[what] = median(taken)
  }
  return values
}

/** An overloaded service refuses with 503: counted, and not part of how long an answer takes. */
async function readUntilAnswered(address: string, key: string): Promise<Read> {
  for (let refused = 0; refused <= refusedMax; refused += 1) {
    const startedAt = performance.now()
    const { status, bytes } = await send('GET', address, { key })
    if (status === 200) return { ms: performance.now() - startedAt, refused, bytes }
    if (status !== 503) throw new Error(`${address} answers ${status}`)
    await new Promise((resolve) => setTimeout(resolve, againMs))
  }
  throw new Error(`${address} refused ${refusedMax} times`)
}

async function measureLoop({ url, key, loopUrls }: Subject): Promise<Table['rows']> {
  // Each reading begins a new span.
  for (const address of Object.values(loopUrls)) await readLag(address)
  const endsAt = performance.now() + loopSeconds * 1_000
  const livez: number[] = []
  const probe = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await send('GET', `${url}/livez`)
      livez.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const work = async () => {
    while (performance.now() < endsAt) await createAndDraw(url, key)
  }
  await Promise.all([probe(), work(), work()])
  const rows: Table['rows'][number][] = []
  for (const [process, address] of Object.entries(loopUrls)) {
    rows.push({ process, ...(await readLag(address)) })
  }
  const ordered = livez.sort((one, other) => one - other)
  const at = (share: number) => toText(ordered[Math.floor(share * (ordered.length - 1))] ?? 0)
  return [...rows, { process: '/livez', 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(1) }]
}

async function createAndDraw(url: string, key: string): Promise<void> {
  const lines = Array.from({ length: linesOfLarge }, (_, index) => ({
    lineNumber: index + 1,
    description: `Prestation de conseil ${index + 1}`,
    quantity: 2,
    unitPrice: 450.5,
    vatRate: 20,
  }))
  const body = {
    invoiceNumber: newNumber('L'),
    invoiceDate: '2026-01-31',
    currency: 'MAD',
    paymentMethod: 'CASH',
    lines,
  }
  const { status, data } = await requestJson('POST', `${url}/v1/invoices`, { key, body })
  if (status !== 201) throw new Error(`POST /v1/invoices answers ${status}`)
  const { id } = data as { id: string }
  // Refused with 503 where the drawing is stopped: then only the signing is measured.
  await send('GET', `${url}/v1/invoices/${id}/pdf`, { key })
}

async function readLag(address: string): Promise<Record<string, string>> {
  const text = await (await fetch(address)).text()
  const lag = (name: string) => {
    const [, seconds = '0'] =
      new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{.*\\})? ([\\d.e+-]+)`, 'm').exec(
        text,
      ) ?? []
    return toText(1_000 * Number(seconds))
  }
  return { 'p50 ms': lag('p50'), 'p99 ms': lag('p99'), 'max ms': lag('max') }
}

function toText(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(figure >= 10 ? 1 : 2)
}
