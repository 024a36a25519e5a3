import { randomBytes } from 'node:crypto'
import type { ServiceName } from '@einvoicing/rpc/service-name'
import type { Log } from '@einvoicing/runtime/log'
import { joinLocally, type Contract, type Service } from '@einvoicing/rpc/call'
import { connectRpc } from '@einvoicing/rpc/client'
import { serveRpc } from '@einvoicing/rpc/server'
import { closeAll, type Closable } from '@einvoicing/runtime/serve'

export interface Endpoint<C extends Contract> {
  name: ServiceName
  contract: C
  handlers: Service<C>
}

export interface Wiring extends Closable {
  /** The service behind `endpoint`, as others call it. */
  join<C extends Contract>(endpoint: Endpoint<C>): Promise<Service<C>>
}

export function openWiring(wire: 'none' | 'grpc', log: Log): Wiring {
  if (wire === 'none') {
    return { join: async ({ name, handlers }) => joinLocally(name, handlers), close() {} }
  }
  // One process: the secret need not outlive it.
  const callerSecrets = { shared: [randomBytes(32).toString('hex')] } as const
  const opened: Closable[] = []
  return {
    async join({ name, contract, handlers }) {
      const options = { name, address: '127.0.0.1:0', callerSecrets, log }
      const server = await serveRpc(contract, handlers, options)
      const client = connectRpc(contract, { address: `127.0.0.1:${server.port}`, callerSecrets })
      opened.push(server, client)
      log.info({ service: name, port: server.port }, 'gRPC server listening')
      return client.service
    },
    close: () => closeAll(opened, log),
  }
}
