/**
 * Buses on a real server, and what an operator would do to it behind their backs.
 */

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { createLog } from '@einvoicing/runtime/log'
import type { Bus } from '../bus'
import type { BusConfig } from '../config'
import { openNatsBus, type NatsBusOptions } from '../nats/nats-bus'
import type { Session } from '../nats/connection'

export function natsConfig(url: string, changes: Partial<BusConfig> = {}): BusConfig {
  return {
    kind: 'nats',
    servers: [url],
    tls: 'when offered',
    caFile: undefined,
    credentials: { kind: 'none' },
    replicas: 1,
    ...changes,
  }
}

/** For tests in which nothing is unavailable, so that a pause of a process is not taken for it. */
export const patientPublishMs = 30_000

export interface NatsBed {
  /** Another process's bus, closed by `clear`. */
  open(options?: Partial<NatsBusOptions>): Promise<Bus>
  /** A connection that knows nothing of the bus. */
  bare<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Closes every bus and deletes every stream. */
  clear(): Promise<void>
}

export function natsBed(url: () => string, usual: Partial<NatsBusOptions> = {}): NatsBed {
  const opened: Bus[] = []
  const bare: NatsBed['bare'] = async (work) => {
    const connection = await connect({ servers: url() })
    try {
      const js = jetstream(connection)
      return await work({ connection, js, jsm: await jetstreamManager(connection) })
    } finally {
      await connection.close()
    }
  }
  return {
    bare,
    async open(options = {}) {
      const log = createLog('silent')
      const bus = await openNatsBus(natsConfig(url()), { log, ...usual, ...options })
      opened.push(bus)
      return bus
    },
    async clear() {
      await Promise.all(opened.splice(0).map((bus) => bus.close()))
      await bare(async ({ jsm }) => {
        for await (const name of jsm.streams.names()) await jsm.streams.delete(name)
      })
    },
  }
}
