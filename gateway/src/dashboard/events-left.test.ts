import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { eventually } from '@einvoicing/servers/eventually'
import { createLog } from '@einvoicing/runtime/log'
import { limits } from '@einvoicing/domain/limits'
import type { Request, Response } from 'express'
import { BodyMemory } from '../http/body-memory'
import { beginExchange, getExchange } from '../http/exchange'
import { smallInvoices } from '../testdata/small-services'
import { sendPipelined } from '../testdata/pipelined'
import { eventTimes, InvoiceEvents, listenToEvents } from './events'

const organizationId = 'org-1'
const userId = 'user-1'
const member = {
  organizationId,
  organizationName: 'o',
  userId,
  email: 'a@b',
  role: 'MEMBER',
  expiresAt: '',
} as const

let events: InvoiceEvents
let server: http.Server

type Serve = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void

async function listen(serve: Serve, heartbeatMs = eventTimes.heartbeatMs): Promise<void> {
  const deps = { invoices: smallInvoices(), log: createLog('silent') }
  events = new InvoiceEvents(deps, { ...eventTimes, heartbeatMs })
  const handle = listenToEvents(events, async () => undefined)
  server = http.createServer((request, response) => {
    beginExchange(request, response, new BodyMemory(1))
    const caller = { service: 'gateway', actor: 'user:a', organizationId } as const
    Object.assign(getExchange(response), { caller, member })
    serve(request, response, () => void handle(request as Request, response as Response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
afterEach(async () => {
  events.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const countListeners = () => events.openFeed(organizationId, userId).listenerCount

test('nothing is opened for a client that left while it was authenticated', async () => {
  let arrived = 0
  let handled = 0
  await listen((_, response, handle) => {
    arrived += 1
    response.once('close', () => {
      handle()
      handled += 1
    })
  })
  for (let left = 1; left <= limits.eventStreamsOfMember; left += 1) {
    const socket = await sendPipelined(server, ['/events'])
    await until(() => arrived === left)
    socket.destroy()
    await until(() => handled === left)
    expect(countListeners()).toBe(0)
  }
})

test('a stream behind another answer is removed by its next beat after the client left', async () => {
  const queued = limits.eventStreamsOfMember
  await listen((request, response, handle) => {
    if (request.url === '/events') handle()
    else response.flushHeaders()
  }, 100)
  const socket = await sendPipelined(server, ['/hold', ...Array<string>(queued).fill('/events')])
  await until(() => isFull())
  socket.destroy()
  await until(() => !isFull())
  await until(() => countListeners() === 0)
})

function isFull(): boolean {
  try {
    events.openFeed(organizationId, userId)
    return false
  } catch {
    return true
  }
}

const until = (holds: () => boolean) => eventually(() => expect(holds()).toBe(true), 45_000, 10)
