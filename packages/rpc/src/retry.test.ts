import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { InvoicesService, type CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { createLog } from '@einvoicing/runtime/log'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call, Service } from './call'
import { connectRpc } from './client'
import { serveRpc } from './server'
import type { Closable } from '@einvoicing/runtime/serve'

const callerSecrets = { shared: ['the secret all services share'] } as const
const creation: CreateInvoiceRequest = { content: undefined, issuer: undefined, draft: false }
const opened: Closable[] = []
afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close()
})

const call = (): Call => ({
  caller: { service: 'gateway', organizationId: 'org-1', actor: 'api-key:k-1' },
  requestId: 'r-1',
  deadline: Date.now() + 60_000,
})

/** Breaks its connections at every request, and counts the requests. */
async function startBreaker(): Promise<{ port: number; received: (method: string) => number }> {
  const paths: string[] = []
  const sockets = new Set<net.Socket>()
  const server = http2.createServer()
  server.on('connection', (socket: net.Socket) => sockets.add(socket))
  server.on('stream', (stream, headers) => {
    paths.push(String(headers[':path']))
    stream.on('error', () => undefined)
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) })
  return {
    port: (server.address() as AddressInfo).port,
    received: (method) => paths.filter((path) => path.endsWith(`/${method}`)).length,
  }
}

function connect(port: number): Service<InvoicesService> {
  const client = connectRpc(InvoicesService, { address: `127.0.0.1:${port}`, callerSecrets })
  opened.push(client)
  return client.service
}

async function serve(fail: () => never): Promise<{ port: number; calls: () => number }> {
  let calls = 0
  const handler = async () => {
    calls += 1
    return fail()
  }
  const handlers = Object.fromEntries(
    Object.keys(InvoicesService).map((method) => [method, handler]),
  ) as unknown as Service<InvoicesService>
  const log = createLog('silent')
  const options = { name: 'invoices', address: '127.0.0.1:0', callerSecrets, log } as const
  const server = await serveRpc(InvoicesService, handlers, options)
  opened.push(server)
  return { port: server.port, calls: () => calls }
}

const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error

test('a read is repeated after a broken connection; a creation never is', async () => {
  const broken = await startBreaker()
  const invoices = connect(broken.port)
  await expect(invoices.createInvoice(creation, call())).rejects.toEqual(unavailable)
  await expect(invoices.getInvoice({ invoiceId: 'i' }, call())).rejects.toEqual(unavailable)
  expect(broken.received('CreateInvoice')).toBe(1)
  expect(broken.received('GetInvoice')).toBe(4)
})

test('an error is an answer: it is not repeated', async () => {
  const away = await serve(() => {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The store is unavailable.')
  })
  const invoices = connect(away.port)
  await expect(invoices.getInvoice({ invoiceId: 'i' }, call())).rejects.toEqual(unavailable)
  expect(away.calls()).toBe(1)
})

test('connections that are reset under load are never a defect', async () => {
  const server = await serve(() => {
    throw new ApiError('INVOICE_NOT_FOUND', 'asked')
  })
  const sockets = new Set<net.Socket>()
  const line = net.createServer((client) => {
    const target = net.connect(server.port, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => (sockets.delete(one), other.destroy()))
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => line.close(() => resolve())) })
  const service = connect((line.address() as AddressInfo).port)
  const codes = new Map<string, number>()
  let going = true
  const callOnce = async () => {
    while (going) {
      const error: unknown = await service.createInvoice(creation, call()).catch((e: unknown) => e)
      const code = error instanceof ApiError ? error.code : String(error)
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
  }
  const asking = Array.from({ length: 16 }, callOnce)
  const answered = () => codes.get('INVOICE_NOT_FOUND') ?? 0
  for (let round = 0; round < 15; round += 1) {
    for (const before = answered(); answered() < before + 20;) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (const socket of sockets) {
      if (round % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
  }
  going = false
  await Promise.all(asking)
  expect([...codes.keys()].sort()).toEqual(['INVOICE_NOT_FOUND', 'SERVICE_UNAVAILABLE'])
})
