import dns from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { SignerService } from '@einvoicing/proto/signer'
import { peerTarget } from '@einvoicing/runtime/address'
import { createLog } from '@einvoicing/runtime/log'
import type { Call, Service } from './call'
import { connectRpc } from './client'
import { serveRpc } from './server'
import type { Closable } from '@einvoicing/runtime/serve'

const callerSecrets = { shared: ['the secret all services share'] } as const
const opened: Closable[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const part of opened.splice(0).reverse()) await part.close()
})

/** Only the answers of DNS are simulated: the machine's own name server cannot be set. */
function nameServer(): { resolvesTo: (...addresses: string[]) => void; requests: () => number } {
  let addresses: string[] = []
  const lookup = jest.spyOn(dns, 'lookup').mockImplementation((async () => {
    if (addresses.length === 0) throw new Error('getaddrinfo ENOTFOUND signer')
    return addresses.map((address) => ({ address, family: 4 }))
  }) as unknown as typeof dns.lookup)
  return {
    resolvesTo: (...now) => void (addresses = now),
    requests: () => lookup.mock.calls.length,
  }
}

async function serve(host: string, port: number) {
  let requests = 0
  const handlers: Service<SignerService> = {
    signDocument: async () => {
      requests += 1
      await pause(20)
      return { xml: Buffer.alloc(8), sha256: '', signedAt: '' }
    },
    getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
    checkSigner: async () => ({ dependencies: [] }),
  }
  const options = { name: 'signer', callerSecrets, log: createLog('silent') } as const
  const address = `${host}:${port}`
  const server = await serveRpc(SignerService, handlers, {
    ...options,
    address,
  })
  return { ...server, requests: () => requests }
}

function connect(port: number): Service<SignerService> {
  const address = peerTarget(`signer:${port}`)!
  const client = connectRpc(SignerService, { address, callerSecrets })
  opened.push(client)
  return client.service
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20)
}

const call = (): Call => ({
  caller: { service: 'invoices', organizationId: 'org-1', actor: 'api-key:k-1' },
  requestId: 'r-1',
  deadline: Date.now() + 30_000,
})
const sign = (signer: Service<SignerService>) => signer.signDocument({ invoice: undefined }, call())

/** Stops when the test ends, also when it fails. */
function signUnderLoad(signer: Service<SignerService>) {
  const failures: unknown[] = []
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      await sign(signer).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) return
    }
  }
  const done = Promise.all(Array.from({ length: 8 }, run))
  const stop = async () => {
    isStopped = true
    await done
  }
  opened.push({ close: stop })
  return { failures, stop }
}

test('a new instance accepts calls, a removed one may stop, and no call is lost', async () => {
  const names = nameServer()
  const first = await serve('127.0.0.1', 0)
  const second = await serve('127.0.0.2', first.port)
  opened.push(second)
  names.resolvesTo('127.0.0.1')
  const signer = connect(first.port)
  await sign(signer)
  const load = signUnderLoad(signer)
  expect([first.requests() > 0, second.requests()]).toEqual([true, 0])

  names.resolvesTo('127.0.0.2', '127.0.0.1')
  await until(() => second.requests() > 0)

  names.resolvesTo('127.0.0.2')
  await until(async () => {
    const [before, others] = [first.requests(), second.requests()]
    await until(() => second.requests() > others + 50)
    return first.requests() === before
  })
  await first.close()
  await pause(200)
  await load.stop()
  expect(load.failures).toEqual([])
})

test('a name that no longer resolves keeps its last addresses', async () => {
  const names = nameServer()
  const server = await serve('127.0.0.1', 0)
  opened.push(server)
  names.resolvesTo('127.0.0.1')
  const signer = connect(server.port)
  await sign(signer)
  names.resolvesTo()
  const before = names.requests()
  await until(() => names.requests() > before)
  await sign(signer)
  expect(server.requests()).toBe(2)
})

test('a name that does not resolve yet is an error at once, and works once it resolves', async () => {
  const names = nameServer()
  const server = await serve('127.0.0.1', 0)
  opened.push(server)
  const signer = connect(server.port)
  await expect(sign(signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  names.resolvesTo('127.0.0.1')
  await until(() =>
    sign(signer).then(
      () => true,
      () => false,
    ),
  )
  expect(server.requests()).toBe(1)
})
