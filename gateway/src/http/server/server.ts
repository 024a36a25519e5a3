// Node's own answers to bad requests have no envelope, so each is replaced here (RFC 9112).

import http, { type RequestListener, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { deadlinesMs, limits } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { answerBrokenRequest, answerConnect } from './broken-request'
import { ConnectionLimit } from './connection-limit'
import type { MessageClasses } from './express-messages'

export interface HttpServerOptions {
  host: string
  port: number
  maxConnections: number
  /** Then a connection's address is not the client's. */
  behindProxy: boolean
  log: Log
}

export interface RequestHandling {
  listener: RequestListener
  messages: MessageClasses
}

export interface HttpServer {
  port: number
  url: string
  /** Stops accepting, lets requests in flight end, and cuts the rest after `deadlinesMs.drain`. */
  close(): Promise<void>
}

// Longer than clients and load balancers keep theirs, so that they close first.
const keepAliveMs = 65_000
// At shutdown an idle connection may have its next request on the way.
const drainIdleMs = 500

export async function openHttpServer(
  { host, port, maxConnections, behindProxy, log }: HttpServerOptions,
  handlingFor: (isDraining: () => boolean) => RequestHandling,
): Promise<HttpServer> {
  const connections = new Connections()
  const { listener, messages } = handlingFor(() => connections.draining)
  const onRequest: RequestListener = (request, response) => {
    // We have closed the connection already: no answer can be sent, so nothing must be done.
    if (request.socket.writableEnded) {
      request.socket.destroy()
      return
    }
    if (connections.begin(request.socket, response)) listener(request, response)
  }
  const server = http.createServer(
    {
      ...messages,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: deadlinesMs.httpHeaders,
      requestTimeout: deadlinesMs.httpRequest,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: keepAliveMs,
      // Our own answer has the envelope.
      requireHostHeader: false,
    },
    onRequest,
  )
  // A response that is not read must not be held for ever.
  server.timeout = 2 * deadlinesMs.httpRequest
  server.maxRequestsPerSocket = 0
  server.maxConnections = maxConnections
  // All headers are counted: their size is bounded by `maxHeaderSize`.
  server.maxHeadersCount = 0
  const limit = new ConnectionLimit(
    { max: maxConnections, maxPerNetwork: behindProxy ? maxConnections : maxConnections / 2 },
    (socket) => connections.isWaiting(socket),
  )
  server.on('connection', (socket) => {
    connections.add(socket)
    limit.add(socket)
  })
  // `100 Continue` is sent when the body is read; others are ignored (RFC 9110, section 10.1.1).
  server.on('checkContinue', onRequest)
  server.on('checkExpectation', onRequest)
  server.on('connect', (_, socket: Duplex) => answerConnect(socket, connections.responseOn(socket)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerBrokenRequest(error, socket, connections.responseOn(socket)),
  )

  await listen(server, host, port)
  // A connection that cannot be accepted, for lack of files, must not end the process.
  server.on('error', (err) => log.error({ err }, 'could not accept a connection'))
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${net.isIPv6(host) ? `[${host}]` : host}:${bound}`,
    close: () => drain(server, connections),
  }
}

class Connections {
  draining = false
  private readonly responses = new Map<Duplex, ServerResponse[]>()

  add(socket: Duplex): void {
    this.responses.set(socket, [])
    socket.once('close', () => this.responses.delete(socket))
  }

  /** False: the answer before it is the last of this connection. */
  begin(socket: Duplex, response: ServerResponse): boolean {
    const inFlight = this.responses.get(socket)
    for (const before of inFlight ?? []) if (!before.shouldKeepAlive) return false
    inFlight?.push(response)
    response.once('close', () => inFlight?.splice(inFlight.indexOf(response), 1))
    if (this.draining) response.shouldKeepAlive = false
    return true
  }

  /** Nothing is done for it until its client sends more. */
  isWaiting(socket: Duplex): boolean {
    return (this.responses.get(socket) ?? []).every(({ req }) => !req.complete)
  }

  responseOn(socket: Duplex): ServerResponse | undefined {
    return this.responses.get(socket)?.at(-1)
  }

  startDraining(): void {
    this.draining = true
    for (const inFlight of this.responses.values()) {
      for (const response of inFlight) response.shouldKeepAlive = false
    }
  }

  endIdle(): void {
    for (const [socket, inFlight] of this.responses) if (inFlight.length === 0) socket.end()
  }
}

async function drain(server: http.Server, connections: Connections): Promise<void> {
  connections.startDraining()
  const idle = setTimeout(() => connections.endIdle(), drainIdleMs)
  const cut = setTimeout(() => server.closeAllConnections(), deadlinesMs.drain)
  await new Promise<void>((resolve) => {
    // http.Server's close() would cut idle connections at once, with their next request on the way.
    net.Server.prototype.close.call(server, () => resolve())
  })
  clearTimeout(idle)
  clearTimeout(cut)
  // Ends http.Server's timers; nothing is listening any more.
  server.close()
}

async function listen(server: http.Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (cause) {
    throw new Error(explainListenError(cause as NodeJS.ErrnoException, host, port), { cause })
  }
}

function explainListenError({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another process: stop it, or set PORT to another port.`
    case 'EACCES':
      return `Port ${port} on ${host} cannot be opened by this user: set PORT to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1.`
    default:
      return `Could not listen on ${host}:${port} (HOST, PORT): ${message}`
  }
}
