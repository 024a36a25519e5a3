import { PassThrough } from 'node:stream'
import { digestApiKey, toApiKey } from '@einvoicing/access/api-key'
import { unavailable } from '@einvoicing/domain/api-error'
import { joinLocally, type Call, type Contract, type Service } from '@einvoicing/rpc/call'
import { connectRpc } from '@einvoicing/rpc/client'
import { serveRpc } from '@einvoicing/rpc/server'
import { createLog } from '@einvoicing/runtime/log'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { createKeyLookUp } from './key-look-up'
import { apiKey, organizationId, smallOrganizations } from './testdata/small-services'

const clientNetwork = '192.0.2.1'
const known = { keySha256: digestApiKey(apiKey), clientNetwork }
const unknown = { keySha256: digestApiKey(toApiKey('b'.repeat(43))), clientNetwork }
const callerSecrets = { shared: ['a secret that all services share'] } as const

let opened: { close(): Promise<void> | void }[] = []
let called: string[]
beforeEach(() => {
  called = []
})
afterEach(async () => {
  for (const part of opened.reverse()) await part.close()
  opened = []
})

function createCall(): Call {
  const caller = { service: 'gateway', organizationId, actor: 'api-key:key-1' } as const
  return { caller, requestId: 'r', deadline: Date.now() + 5_000 }
}

/** Small organizations that note each call. */
function noted(): Service<OrganizationsService> {
  const handlers = smallOrganizations()
  return {
    ...handlers,
    authenticate: (request, call) => {
      called.push(`one for ${call.caller.actor}`)
      return handlers.authenticate(request, call)
    },
    authenticateKeys: (request, call) => {
      called.push(`${request.keysSha256.length} for ${call.caller.actor}`)
      return handlers.authenticateKeys(request, call)
    },
  }
}

async function byWire(contract: Contract): Promise<Service<OrganizationsService>> {
  const log = createLog('info', new PassThrough())
  const options = { name: 'organizations', address: '127.0.0.1:0', callerSecrets, log } as const
  const methods = Object.entries(noted()).filter(([method]) => method in contract)
  const handlers = Object.fromEntries(methods) as unknown as Service<Contract>
  const server = await serveRpc(contract, handlers, options)
  const address = `127.0.0.1:${server.port}`
  const client = connectRpc(OrganizationsService, { address, callerSecrets })
  opened.push(server, client)
  return client.service
}

const { authenticateKeys: _, ...contractBefore } = OrganizationsService

describe.each([
  ['joined locally', async () => joinLocally('organizations', noted()), ['2 for service:gateway']],
  ['by wire', () => byWire(OrganizationsService), ['2 for service:gateway']],
  [
    'of the release before',
    () => byWire(contractBefore),
    ['one for service:gateway', 'one for service:gateway'],
  ],
])('keys looked up in a service %s', (_name, open, calls) => {
  test('share a call, each with its own answer or error', async () => {
    const lookUp = createKeyLookUp(await open())
    const keys = [known, unknown, known, unknown]
    const outcomes = await Promise.allSettled(keys.map((key) => lookUp(key, createCall())))
    const answer = { value: { organizationId, apiKeyId: 'key-1' } }
    const error = { reason: { code: 'API_KEY_INVALID' } }
    expect(outcomes).toMatchObject([answer, error, answer, error])
    expect(called).toEqual(calls)
  })

  test('one alone is looked up by itself', async () => {
    const lookUp = createKeyLookUp(await open())
    expect(await lookUp(known, createCall())).toMatchObject({ organizationId })
    expect(called).toEqual(['one for service:gateway'])
  })
})

test('a failure affects every key in the call, and no later call', async () => {
  let isUp = false
  const organizations = smallOrganizations()
  const lookUp = createKeyLookUp({
    ...organizations,
    authenticateKeys: async (...digests) => {
      if (!isUp) throw unavailable('The organization store')
      return organizations.authenticateKeys(...digests)
    },
  })
  const lookUpBoth = () =>
    Promise.allSettled([known, unknown].map((key) => lookUp(key, createCall())))
  const reason = { code: 'SERVICE_UNAVAILABLE' }
  expect(await lookUpBoth()).toMatchObject([{ reason }, { reason }])
  isUp = true
  expect(await lookUpBoth()).toMatchObject([
    { value: { organizationId } },
    { reason: { code: 'API_KEY_INVALID' } },
  ])
})
