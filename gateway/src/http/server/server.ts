// Node's own answers to bad requests have no envelope, so each is replaced here (RFC 9112).

import http, { type RequestListener, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { deadlinesMs, limits } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { answerBrokenRequest, answerConnect } from './broken-request'
import { ConnectionLimit } from './connection-limit'
import type { MessageClasses } from './express-messages'
import { listen } from './listen'

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
  const limit = new ConnectionLimit(
    { max: maxConnections, maxPerNetwork: behindProxy ? maxConnections : maxConnections / 2 },
    (socket) => connections.isWaiting(socket),
  )
  const create = (): http.Server => {
    const server = createServer(messages, onRequest, connections)
    server.maxConnections = maxConnections
    server.on('connection', (socket) => {
      connections.add(socket)
      limit.add(socket)
    })
    return server
  }
  const servers = await listen(create, host, port)
  for (const server of servers) {
    // A connection that cannot be accepted, for lack of files, must not end the process.
    server.on('error', (err) => log.error({ err }, 'could not accept a connection'))
  }
  const bound = (servers[0].address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${net.isIPv6(host) ? `[${host}]` : host}:${bound}`,
    close: () => drain(servers, connections),
  }
}

function createServer(
  messages: MessageClasses,
  onRequest: RequestListener,
  connections: Connections,
): http.Server {
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
  // All headers are counted: their size is bounded by `maxHeaderSize`.
  server.maxHeadersCount = 0
  // `100 Continue` is sent when the body is read; others are ignored (RFC 9110, section 10.1.1).
  server.on('checkContinue', onRequest)
  server.on('checkExpectation', onRequest)
  server.on('connect', (_, socket: Duplex) => answerConnect(socket, connections.responseOn(socket)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerBrokenRequest(error, socket, connections.responseOn(socket)),
  )
  return server
}

class Connections {
  draining = false
  private readonly responses = new Map<Duplex, ServerResponse[]>()

  add(socket: Duplex): void {
    this.responses.set(socket, [])
    socket.once('close', () => {
      const inFlight = this.responses.get(socket) ?? []
      this.responses.delete(socket)
      for (const response of [...inFlight]) if (!response.socket) closeWaiting(response)
    })
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

/** Node closes only the response whose turn it is. */
function closeWaiting(response: ServerResponse): void {
  response.destroy()
  response.emit('close')
}

async function drain(servers: readonly http.Server[], connections: Connections): Promise<void> {
  connections.startDraining()
  const idle = setTimeout(() => connections.endIdle(), drainIdleMs)
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, deadlinesMs.drain)
  await Promise.all(servers.map(stopAccepting))
  clearTimeout(idle)
  clearTimeout(cut)
  // Ends http.Server's timers; nothing is listening any more.
  for (const server of servers) server.close()
}

/** Resolves when its connections have ended. */
function stopAccepting(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    // http.Server's close() would cut idle connections at once, with their next request on the way.
    net.Server.prototype.close.call(server, () => resolve())
  })
}
