// Opened first and closed last, so that start and stop can be watched.

import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readiness } from '@einvoicing/proto/readiness'
import { addressText, type Address } from '@einvoicing/runtime/address'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { unavailableEssentials, presentReadiness, watchReadiness } from './readiness'
import type { Closable } from '@einvoicing/runtime/serve'

export interface HealthServer extends Closable {
  port: number
  /** `/servingz` succeeds until the result is closed; `/readyz` checks the dependencies. */
  startServing(readiness: () => Promise<Readiness>): Closable
}

type State = 'starting' | 'stopping' | (() => Promise<Readiness>)

export async function openHealthServer(
  address: Address,
  { log, setting = 'HEALTH_ADDRESS' }: { log: Log; setting?: string },
): Promise<HealthServer> {
  let state: State = 'starting'
  const server = http.createServer(({ url = '' }, response) => {
    answer(url, response, state).catch((err: unknown) => {
      log.error({ err, url }, 'health or metrics request failed')
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    const onError = ({ message }: Error): void => {
      const at = addressText(address)
      reject(new SettingsError([`${setting} ${at}: cannot listen: ${message}`]))
    }
    server.once('error', onError)
    server.listen(address.port, address.host, () => {
      server.off('error', onError)
      resolve()
    })
  })
  // Failing to accept one connection, as for lack of file descriptors, must not end the process.
  server.on('error', (err) => log.error({ err }, 'could not accept a connection'))
  return {
    port: (server.address() as AddressInfo).port,
    startServing(readiness) {
      state = readiness
      const watch = watchReadiness(readiness)
      return {
        close() {
          state = 'stopping'
          watch.close()
        },
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(url: string, response: ServerResponse, state: State): Promise<void> {
  const [path] = url.split('?')
  if (path === '/livez') sendJson(response, 200, { status: 'live' })
  else if (path === '/servingz') answerServing(response, state)
  else if (path === '/readyz') await answerReadiness(response, state)
  else if (path === '/metrics') {
    const text = await metrics.metrics()
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
  } else
    sendJson(response, 404, { status: 'not found: use /livez, /servingz, /readyz or /metrics' })
}

function answerServing(response: ServerResponse, state: State): void {
  if (typeof state === 'string') sendJson(response, 503, { status: state })
  else sendJson(response, 200, { status: 'serving' })
}

async function answerReadiness(response: ServerResponse, state: State): Promise<void> {
  if (typeof state === 'string') {
    sendJson(response, 503, { status: state })
    return
  }
  const readiness = await state()
  const body = presentReadiness(readiness)
  if (unavailableEssentials(readiness).length === 0) sendJson(response, 200, body)
  else sendJson(response, 503, { ...body, status: 'waiting' })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
