/**
 * The HTTP server: bounds on size and time, an answer even to what is no HTTP, and a stop that cuts
 * no request.
 *
 * RFC 9112; the runtime's own answers to bad requests have no envelope, so each is replaced here.
 */

import http, { type RequestListener, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { deadlinesMs, limits } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { answerBrokenRequest, answerConnect } from './broken-request'
import { ConnectionLimit } from './connection-limit'

export interface HttpServerOptions {
  host: string
  port: number
  maxConnections: number
  /** Whether every connection is a proxy's, so that its address says nothing of the client. */
  behindProxy: boolean
  log: Log
}

export interface HttpServer {
  port: number
  url: string
  /**
   * Stops accepting, lets requests in flight end, and cuts what is left after `deadlinesMs.drain`.
   */
  close(): Promise<void>
}

// Longer than the pools of clients and balancers keep theirs: who closes first loses a race.
const keepAliveMs = 65_000
// While stopping, a connection at rest may have its next request on the way already.
const drainIdleMs = 500

/** `listenerFor` is told how to ask whether the server is stopping. */
export async function openHttpServer(
  { host, port, maxConnections, behindProxy, log }: HttpServerOptions,
  listenerFor: (isDraining: () => boolean) => RequestListener,
): Promise<HttpServer> {
  const connections = new Connections()
  const listener = listenerFor(() => connections.draining)
  const onRequest: RequestListener = (request, response) => {
    // Ended by us as it came: no answer can leave any more, so that nothing must be done.
    if (request.socket.writableEnded) {
      request.socket.destroy()
      return
    }
    if (connections.begin(request.socket, response)) listener(request, response)
  }
  const server = http.createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: deadlinesMs.httpHeaders,
      requestTimeout: deadlinesMs.httpRequest,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: keepAliveMs,
      // Ours has an envelope.
      requireHostHeader: false,
    },
    onRequest,
  )
  // A response that its reader does not take must not be held for ever.
  server.timeout = 2 * deadlinesMs.httpRequest
  server.maxRequestsPerSocket = 0
  server.maxConnections = maxConnections
  // None is left out: what is not counted is bounded by `maxHeaderSize`.
  server.maxHeadersCount = 0
  const limit = new ConnectionLimit(
    { max: maxConnections, maxPerNetwork: behindProxy ? maxConnections : maxConnections / 2 },
    (socket) => connections.isWaiting(socket),
  )
  server.on('connection', (socket) => {
    connections.add(socket)
    limit.add(socket)
  })
  // `100 Continue` is said when the body is wanted, not before; other expectations are ignored (RFC
  // 9110, section 10.1.1).
  server.on('checkContinue', onRequest)
  server.on('checkExpectation', onRequest)
  server.on('connect', (_, socket: Duplex) => answerConnect(socket, connections.responseOn(socket)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerBrokenRequest(error, socket, connections.responseOn(socket)),
  )

  await listen(server, host, port)
  // That one connection could not be accepted, for lack of files, must not end the process.
  server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'))
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${net.isIPv6(host) ? `[${host}]` : host}:${bound}`,
    close: () => drain(server, connections),
  }
}

/** Which connections are open, and what is being answered on each. */
class Connections {
  draining = false
  private readonly responses = new Map<Duplex, Set<ServerResponse>>()

  add(socket: Duplex): void {
    this.responses.set(socket, new Set())
    socket.once('close', () => this.responses.delete(socket))
  }

  /**
   * Answers whether the request is to be carried out: not when an answer before it is the last of
   * this connection.
   */
  begin(socket: Duplex, response: ServerResponse): boolean {
    const inFlight = this.responses.get(socket)
    for (const before of inFlight ?? []) if (!before.shouldKeepAlive) return false
    inFlight?.add(response)
    response.once('close', () => inFlight?.delete(response))
    if (this.draining) response.shouldKeepAlive = false
    return true
  }

  /** Whether nothing is being done for it until its client sends more. */
  isWaiting(socket: Duplex): boolean {
    return [...(this.responses.get(socket) ?? [])].every(({ req }) => !req.complete)
  }

  /** The newest answer under way. */
  responseOn(socket: Duplex): ServerResponse | undefined {
    return [...(this.responses.get(socket) ?? [])].at(-1)
  }

  /** From now on every answer is its connection's last. */
  startDraining(): void {
    this.draining = true
    for (const inFlight of this.responses.values()) {
      for (const response of inFlight) response.shouldKeepAlive = false
    }
  }

  endIdle(): void {
    for (const [socket, inFlight] of this.responses) if (inFlight.size === 0) socket.end()
  }
}

async function drain(server: http.Server, connections: Connections): Promise<void> {
  connections.startDraining()
  const idle = setTimeout(() => connections.endIdle(), drainIdleMs)
  const cut = setTimeout(() => server.closeAllConnections(), deadlinesMs.drain)
  await new Promise<void>((resolve) => {
    // http.Server's own close() would cut connections at rest at once, with their next request on
    // the way.
    net.Server.prototype.close.call(server, () => resolve())
  })
  clearTimeout(idle)
  clearTimeout(cut)
  // Ends what http.Server checks on by timer; nothing is listening any more.
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
      return `Port ${port} on ${host} is taken by another process: stop it, or set PORT to another port.`
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user: set PORT to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine: set HOST to one that is, such as 127.0.0.1.`
    default:
      return `Could not listen on ${host}:${port} (HOST, PORT): ${message}`
  }
}
