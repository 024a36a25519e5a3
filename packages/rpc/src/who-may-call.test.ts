import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { createLog } from '@einvoicing/runtime/log'
import { joinLocally, type Service } from './call'
import { connectRpc } from './client'
import { serveRpc } from './server'
import type { Closable } from '@einvoicing/runtime/serve'
import type { ServiceName } from './service-name'
import { checkMayCall, listCallers, pairs } from './who-may-call'

const services: ServiceName[] = [
  'gateway',
  'organizations',
  'invoices',
  'signer',
  'artefacts',
  'clearance',
]
const callerSecrets = { shared: ['the secret all services share'] } as const
const opened: Closable[] = []
afterAll(async () => {
  for (const part of opened.reverse()) await part.close()
})

const bytes = { content: Buffer.alloc(0), mediaType: '', sha256: '' }
const answer = async () => ({ ...bytes, kept: [], dependencies: [] }) as never
const handlers = Object.fromEntries(
  Object.keys(ArtefactsService).map((method) => [method, answer]),
) as unknown as Service<ArtefactsService>

async function byWire(): Promise<Service<ArtefactsService>> {
  const options = { name: 'artefacts', address: '127.0.0.1:0', callerSecrets } as const
  const server = await serveRpc(ArtefactsService, handlers, {
    ...options,
    log: createLog('silent'),
  })
  const client = connectRpc(ArtefactsService, {
    address: `127.0.0.1:${server.port}`,
    callerSecrets,
  })
  opened.push(server, client)
  return client.service
}

describe.each([
  ['joined locally', async () => joinLocally('artefacts', handlers)],
  ['by wire', byWire],
])('the archive %s', (_, join) => {
  test.each([
    ['keepSignedXml', ['invoices']],
    ['keepFinalArtefacts', ['invoices']],
    ['readKeptXml', ['invoices']],
    ['listKeptXml', ['invoices']],
    ['readPdf', ['gateway']],
    ['drawPreview', ['gateway']],
    ['readQr', ['gateway']],
    ['readTrust', ['gateway']],
    ['timeStampDigest', ['invoices', 'organizations']],
    ['keepAuditCheckpoint', ['invoices', 'organizations']],
    ['checkArtefacts', ['gateway', 'invoices']],
  ] as const)('answers %s to %j alone', async (method, admitted: readonly ServiceName[]) => {
    const service = await join()
    const callMethod = service[method] as (request: object, call: object) => Promise<unknown>
    const empty = Buffer.alloc(0)
    const invoice = { invoiceId: '', invoiceDate: '', xml: empty, sha256: '' }
    const request = { ...invoice, digest: empty, content: empty }
    for (const name of services) {
      const caller = { service: name, organizationId: 'org', actor: 'test' }
      const called = callMethod(request, { caller, requestId: 'r', deadline: Date.now() + 5_000 })
      if (admitted.includes(name)) await called
      else await expect(called).rejects.toMatchObject({ code: 'CALLER_REFUSED' })
    }
  })
})

test('no service calls the gateway or clearance, or itself', () => {
  expect(listCallers('gateway')).toEqual([])
  expect(listCallers('clearance')).toEqual([])
  for (const service of services) expect(listCallers(service)).not.toContain(service)
})

test('clearance reads the signed XML of invoices and nothing else', () => {
  const caller = { service: 'clearance', actor: 'test' } as const
  expect(() => checkMayCall(caller, 'invoices', 'readSignedXml')).not.toThrow()
  expect(() => checkMayCall(caller, 'invoices', 'getInvoice')).toThrow(/clearance may not call/)
})

test('there are as many pairs as arrows', () => {
  expect(pairs.map(({ caller, called }) => `${caller} → ${called}`).sort()).toEqual([
    'clearance → invoices',
    'gateway → artefacts',
    'gateway → invoices',
    'gateway → organizations',
    'invoices → artefacts',
    'invoices → signer',
    'organizations → artefacts',
  ])
})
