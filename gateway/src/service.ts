/**
 * The gateway put together: its secret opened, its routes joined to the services, its port listened
 * on.
 */

import type { Clock } from '@einvoicing/kernel/clock'
import type { Log } from '@einvoicing/kernel/log'
import type { Service } from '@einvoicing/kernel/rpc'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { createApp } from './app'
import type { GatewayConfig } from './config'
import { openSessionSecret } from './dashboard/session-secret'
import type { Checks } from './health'
import { openHttpServer, type HttpServer } from './http/server'
import { rateLimitInMemory } from './rate-limit'

export interface GatewayDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
  artefacts: Service<ArtefactsService>
  /** What `/readyz` asks, by name: each rejects when its dependency is away. */
  checks: Checks
  now: Clock
  log: Log
}

export type Gateway = HttpServer

/** Throws one sentence that names HOST and PORT when they cannot be had. */
export async function openGateway(config: GatewayConfig, deps: GatewayDeps): Promise<Gateway> {
  const { now } = deps
  const secret = await openSessionSecret(config.sessionSecret)
  return openHttpServer(config, (isDraining) =>
    createApp({
      ...deps,
      session: { secret, now },
      rateLimit: rateLimitInMemory(config.requestsPerMinute),
      trustProxy: config.trustProxy,
      isDraining,
    }),
  )
}
