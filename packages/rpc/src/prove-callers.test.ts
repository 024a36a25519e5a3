import { once } from 'node:events'
import http2 from 'node:http2'
import { Invoice } from '@einvoicing/proto/invoice'
import { SignerService } from '@einvoicing/proto/signer'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { status } from '@grpc/grpc-js'
import type { Call, Service } from './call'
import { connectRpc } from './client'
import { requestBytes } from './message-size'
import { serveRpc, type RpcServer } from './server'

const callerSecrets = { shared: ['the secret all services share'] } as const
const handlers: Service<typeof SignerService> = {
  signDocument: async () => ({ xml: Buffer.alloc(0), sha256: '', signedAt: '' }),
  getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
  checkSigner: async () => ({ dependencies: [] }),
}

let server: RpcServer
beforeEach(async () => {
  server = await serveRpc(SignerService, handlers, {
    name: 'signer',
    address: '127.0.0.1:0',
    callerSecrets,
    log: createLog('silent'),
  })
})
afterEach(() => server.close())

/** Announces a message of 30 MiB, sends 1 MiB of it, and returns the status that comes. */
async function sendPart(path: string): Promise<number> {
  const session = http2.connect(`http://127.0.0.1:${server.port}`)
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      caller: 'a wrong token',
    })
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(30 * 1024 * 1024, 1)
    stream.write(Buffer.concat([prefix, Buffer.alloc(1024 * 1024)]))
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    return Number(headers['grpc-status'])
  } finally {
    session.destroy()
  }
}

test('a stranger is answered before the message has come, and the call is counted', async () => {
  metrics.resetMetrics()
  expect(await sendPart(SignerService.signDocument.path)).toBe(status.PERMISSION_DENIED)
  expect(await metrics.metrics()).toMatch(
    /^grpc_server_handling_seconds_count\{.*"SignDocument",grpc_code="PERMISSION_DENIED"\} 1$/m,
  )
})

test('no large message is read where no token is needed', async () => {
  expect(await sendPart('/grpc.health.v1.Health/Check')).toBe(status.RESOURCE_EXHAUSTED)
})

test('requests may be as large as their service needs, and no larger', async () => {
  const client = connectRpc(SignerService, { address: `127.0.0.1:${server.port}`, callerSecrets })
  const call: Call = {
    caller: { service: 'invoices', organizationId: 'o', actor: 'api-key:k' },
    requestId: 'r',
    deadline: Date.now() + 20_000,
  }
  const send = (bytes: number) => {
    const invoice = { ...Invoice.decode(new Uint8Array()), buyerName: 'x'.repeat(bytes) }
    return client.service.signDocument({ invoice }, call)
  }
  expect(await send(requestBytes.signer - 20)).toMatchObject({ sha256: '' })
  await expect(send(requestBytes.signer)).rejects.toThrow('larger than max')
  client.close()
})
