import http, { type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import type { Closable } from '@einvoicing/runtime/serve'
import { platformDeadlinesMs, platformLimits } from '../limits'

const retryPauseMs = 200

export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

export interface Address {
  host: string
  port: number
}

export interface Listener extends Closable {
  port: number
}

export interface ListenOptions {
  log: Log
  patienceMs?: number
}

/** Retries a port in use: an earlier process may be about to end. Then `PortTaken`. */
export async function listen(
  { host, port }: Address,
  listenerFor: (port: number) => RequestListener,
  { log, patienceMs = platformDeadlinesMs.bind }: ListenOptions,
): Promise<Listener> {
  const server = http.createServer({ requestTimeout: 2 * deadlinesMs.httpRequest })
  server.maxConnections = platformLimits.connections
  const giveUpAt = Date.now() + patienceMs
  while (!(await tryToBind(server, { host, port }))) {
    if (Date.now() >= giveUpAt) {
      throw new PortTaken(
        `Port ${port} on ${host} is in use by another program: ` +
          'stop it, or set SIMULATOR_PORT to a free port.',
      )
    }
    await delay(retryPauseMs)
  }
  // A connection that fails for lack of file descriptors must not end the process.
  server.on('error', (err) => log.error({ err }, 'could not accept a connection'))
  const bound = (server.address() as AddressInfo).port
  server.on('request', listenerFor(bound))
  return { port: bound, close: () => closeServer(server) }
}

function tryToBind(server: Server, address: Address): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.removeListener('listening', onListening)
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const onListening = (): void => {
      server.removeListener('error', onError)
      resolve(true)
    }
    server.once('error', onError).once('listening', onListening).listen(address)
  })
}

async function closeServer(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), deadlinesMs.drain)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(cut)
}
