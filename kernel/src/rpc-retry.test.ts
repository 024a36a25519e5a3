import net, { type AddressInfo } from 'node:net'
import { InvoicesService, type CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { createLog } from './log'
import { Refusal } from './refusal'
import type { Call, Service } from './rpc'
import { connectRpc } from './rpc-client'
import { serveRpc } from './rpc-server'
import type { Closable } from './serve'

const callerSecrets = ['the secret all services share'] as const
const creation: CreateInvoiceRequest = { content: undefined, issuer: undefined, draft: false }
const opened: Closable[] = []
afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close()
})

const call = (): Call => ({
  caller: { service: 'gateway', organizationId: 'org-1', actor: 'api-key:k-1' },
  requestId: 'r-1',
  deadline: Date.now() + 5_000,
})

/** Breaks every connection it is offered, and counts them. */
async function startBreaker(): Promise<{ port: number; offered: () => number }> {
  let offered = 0
  const server = net.createServer((socket) => {
    offered += 1
    socket.once('data', () => socket.destroy())
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) })
  return { port: (server.address() as AddressInfo).port, offered: () => offered }
}

function connect(port: number): Service<InvoicesService> {
  const client = connectRpc(InvoicesService, { address: `127.0.0.1:${port}`, callerSecrets })
  opened.push(client)
  return client.service
}

async function serve(refuse: () => never): Promise<{ port: number; asked: () => number }> {
  let asked = 0
  const handler = async () => {
    asked += 1
    return refuse()
  }
  const handlers = Object.fromEntries(
    Object.keys(InvoicesService).map((method) => [method, handler]),
  ) as unknown as Service<InvoicesService>
  const log = createLog('silent')
  const options = { name: 'invoices', address: '127.0.0.1:0', callerSecrets, log } as const
  const server = await serveRpc(InvoicesService, handlers, { ...options, admitted: ['gateway'] })
  opened.push(server)
  return { port: server.port, asked: () => asked }
}

const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error

test('a connection that breaks under a read is tried again; under a creation, never', async () => {
  const broken = await startBreaker()
  const invoices = connect(broken.port)
  await expect(invoices.createInvoice(creation, call())).rejects.toEqual(unavailable)
  const afterCreation = broken.offered()
  await expect(invoices.getInvoice({ invoiceId: 'i' }, call())).rejects.toEqual(unavailable)
  expect(broken.offered() - afterCreation).toBeGreaterThan(afterCreation)
})

test('a refusal is an answer: it is not asked for again', async () => {
  const away = await serve(() => {
    throw new Refusal('SERVICE_UNAVAILABLE', 'The store is away.')
  })
  const invoices = connect(away.port)
  await expect(invoices.getInvoice({ invoiceId: 'i' }, call())).rejects.toEqual(unavailable)
  expect(away.asked()).toBe(1)
})
