/** At a bound the oldest connection without an answer in progress is closed. */

import type { Socket } from 'node:net'
import { clientNetwork } from '@einvoicing/access/client-network'
import { metrics } from '@einvoicing/runtime/metrics'
import { Counter, Gauge } from 'prom-client'

const open = new Gauge({
  name: 'einvoicing_http_connections',
  help: 'Connections of clients that are open',
  registers: [metrics],
})
const closed = new Counter({
  name: 'einvoicing_http_connections_closed_total',
  help: 'Connections closed because there were too many, of one client network or of all',
  registers: [metrics],
})

export interface ConnectionLimits {
  max: number
  maxPerNetwork: number
}

/** Leaves file descriptors for stores and other services. */
export function affordableConnections(wanted: number, openFilesMax = readOpenFilesMax()): number {
  return Math.min(wanted, Math.floor(openFilesMax * 0.75))
}

function readOpenFilesMax(): number {
  // It would look up the names of open connections.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

export class ConnectionLimit {
  private readonly limits: ConnectionLimits
  private readonly isWaiting: (socket: Socket) => boolean
  private readonly networks = new Map<string, Set<Socket>>()
  private total = 0

  constructor(limits: ConnectionLimits, isWaiting: (socket: Socket) => boolean) {
    this.limits = limits
    this.isWaiting = isWaiting
  }

  add(socket: Socket): void {
    const name = clientNetwork(socket.remoteAddress ?? '')
    const network = this.networks.get(name) ?? new Set()
    this.networks.set(name, network.add(socket))
    this.total += 1
    open.inc()
    socket.once('close', () => {
      network.delete(socket)
      if (network.size === 0 && this.networks.get(name) === network) this.networks.delete(name)
      this.total -= 1
      open.dec()
    })
    if (network.size > this.limits.maxPerNetwork) this.closeOldestWaiting(network, socket)
    else if (this.total >= this.limits.max) this.closeOldestWaiting(this.largestNetwork(), socket)
  }

  /** Closes the newest if every other one is being answered. */
  private closeOldestWaiting(network: ReadonlySet<Socket>, newest: Socket): void {
    closed.inc()
    for (const socket of network) {
      if (socket !== newest && !socket.destroyed && this.isWaiting(socket)) {
        socket.destroy()
        return
      }
    }
    newest.destroy()
  }

  private largestNetwork(): ReadonlySet<Socket> {
    let largest: ReadonlySet<Socket> = new Set()
    for (const network of this.networks.values()) if (network.size > largest.size) largest = network
    return largest
  }
}
