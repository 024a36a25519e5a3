import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@einvoicing/servers/eventually'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { Service } from '@einvoicing/rpc/call'
import type { Request, Response } from 'express'
import { BodyMemory } from '../http/body-memory'
import { beginExchange } from '../http/exchange'
import { smallInvoices, smallOrganizations } from '../testdata/small-services'
import { sendPipelined } from '../testdata/pipelined'
import { auditRoutes } from './audit'
import { auditCsvRoutes } from './audit-csv'

const toEntry = (_: unknown, index: number): AuditEntry => ({
  at: '2026-01-01T00:00:00Z',
  actor: 'user:a@example.com',
  action: 'invoice.created',
  invoiceId: `i-${index}`,
  detail: 'x'.repeat(4_096),
})

let server: http.Server
/** Whether each download is over. */
let ended: boolean[]

async function listen(entries: number, readNumbers: Service<InvoicesService>['readNumbers']) {
  const log = Array.from({ length: entries }, toEntry)
  const deps = {
    organizations: {
      ...smallOrganizations(),
      listOrganizationAudit: async () => ({ entries: [], total: 0 }),
    },
    invoices: {
      ...smallInvoices(),
      listInvoiceAudit: async () => ({ entries: log, total: entries }),
      readNumbers,
      getInvoice: () => Promise.reject(new Error('a whole invoice was read')),
    },
    session: { now: () => new Date('2026-05-03T09:30:00.000Z') },
  }
  const download = auditCsvRoutes['/audit.csv']!.GET!.handle(deps)
  const readPage = auditRoutes['/audit']!.GET!.handle(deps)
  ended = []
  server = http.createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/hold') return
    beginExchange(request, response, new BodyMemory(1))
    const index = ended.push(false) - 1
    const handle = request.url?.startsWith('/audit.csv') ? download : readPage
    void Promise.resolve(handle(request as Request, response as Response))
      .catch(() => undefined)
      .then(() => (ended[index] = true))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const find = (invoiceIds: string[]) => ({
  numbers: invoiceIds.map((invoiceId) => ({ invoiceId, invoiceNumber: 'F-1' })),
})

test('a page reads its numbers in one call, without the invoices', async () => {
  const requested: number[] = []
  await listen(100, async ({ invoiceIds }) => {
    requested.push(invoiceIds.length)
    return find(invoiceIds)
  })
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/audit?size=100`)
  const { data } = (await answer.json()) as { data: { content: { invoiceNumber: string }[] } }
  expect(data.content.map(({ invoiceNumber }) => invoiceNumber)).toEqual(Array(100).fill('F-1'))
  expect(requested).toEqual([100])
})

test('each look-up of numbers has a deadline of its own', async () => {
  const deadlines: number[] = []
  await listen(300, async ({ invoiceIds }, { deadline }) => {
    deadlines.push(deadline)
    await sleep(20)
    return find(invoiceIds)
  })
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/audit.csv?lang=fr`)
  expect((await answer.text()).split('\r\n')).toHaveLength(302)
  expect([deadlines.length, new Set(deadlines).size]).toEqual([3, 3])
})

test('ends when the client leaves during a look-up of numbers', async () => {
  let lookUps = 0
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await listen(300, async ({ invoiceIds }) => {
    lookUps += 1
    await answered
    return find(invoiceIds)
  })
  const socket = await sendPipelined(server, ['/audit.csv?lang=fr'])
  await until(() => lookUps === 1)
  socket.destroy()
  await until(async () => (await countConnections()) === 0)
  answer()
  await until(() => ended[0] === true)
  expect(lookUps).toBe(1)
})

test('ends when the client leaves while another answer is before this one', async () => {
  await listen(300, async ({ invoiceIds }) => find(invoiceIds))
  const socket = await sendPipelined(server, ['/hold', '/audit.csv?lang=fr'])
  await until(() => ended.length === 1)
  await sleep(200)
  expect(ended).toEqual([false])
  socket.destroy()
  await until(() => ended[0] === true)
})

const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

const until = (holds: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await holds()).toBe(true), 45_000, 10)
