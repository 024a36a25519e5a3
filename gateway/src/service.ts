import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import {
  closeAll,
  createCloseAtEnd,
  type Closable,
  type CloseAtEnd,
} from '@einvoicing/runtime/serve'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { checkDependencies, selfCheck, watchReadiness, type Probe } from '@einvoicing/rpc/readiness'
import type { Service } from '@einvoicing/rpc/call'
import { openTokenKeys, type TokenKeys } from '@einvoicing/access/token-keys'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Readiness } from '@einvoicing/proto/readiness'
import { createApp } from './app'
import type { GatewayConfig } from './config'
import { InvoiceEvents } from './dashboard/events'
import { Admission } from './http/overload/admission'
import { affordableConnections } from './http/server/connection-limit'
import { openHttpServer, type HttpServer } from './http/server/server'
import { VerificationThreads } from './verification/verification-threads'
import { openRateLimit, type OpenRateLimit } from './rate-limit/rate-limit'
import type { RedisTimes } from './rate-limit/redis-limiter'

export interface GatewayDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
  artefacts: Service<ArtefactsService>
  now: Clock
  log: Log
  redisTimes?: RedisTimes
}

export interface Gateway extends HttpServer {
  operationsPort: number | undefined
}

/** Throws one sentence that names the setting if a port, a secret or a server cannot be used. */
export async function openGateway(config: GatewayConfig, deps: GatewayDeps): Promise<Gateway> {
  const opened: Closable[] = []
  const close = () => closeAll(opened, deps.log)
  try {
    const open = await openParts(config, deps, createCloseAtEnd(opened))
    return { ...open, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openParts(
  config: GatewayConfig,
  deps: GatewayDeps,
  closeAtEnd: CloseAtEnd,
): Promise<Omit<Gateway, 'close'>> {
  const { log } = deps
  // Opened first and closed last: it answers while the public port is full.
  const operations =
    config.operations &&
    closeAtEnd(await openHealthServer(config.operations, { log, setting: 'OPERATIONS_ADDRESS' }))
  const keys = await openTokenKeys('SESSION_SECRET_FILE', config.sessionSecret)
  const { verifySecret } = config
  const pageKeys = verifySecret && (await openTokenKeys('VERIFY_SECRET_FILE', verifySecret))
  if (!pageKeys) log.warn('VERIFY_SECRET_FILE is not set: documents get no verification page')
  const rateLimit = closeAtEnd(await openRateLimit(config, log, deps.redisTimes))
  const probes = [...createProbes(deps), ...rateLimit.probes]
  const admission = closeAtEnd(new Admission(log))
  const threads = closeAtEnd(new VerificationThreads())
  const events = new InvoiceEvents(deps)
  const readiness = selfCheck('gateway', (call) => checkDependencies(probes, { call, log }))
  const parts = { keys, pageKeys, rateLimit, readiness, events, admission, threads }
  const server = closeAtEnd(await listen(config, deps, parts))
  // Closed before the server, which waits for its streams.
  closeAtEnd(events)
  closeAtEnd(operations?.startServing(readiness) ?? watchReadiness(readiness))
  return { ...server, operationsPort: operations?.port }
}

interface Parts {
  keys: TokenKeys
  pageKeys: TokenKeys | undefined
  rateLimit: OpenRateLimit
  readiness: () => Promise<Readiness>
  events: InvoiceEvents
  admission: Admission
  threads: VerificationThreads
}

function listen(
  config: GatewayConfig,
  deps: GatewayDeps,
  { keys, pageKeys, admission, ...parts }: Parts,
): Promise<HttpServer> {
  const { trustProxy, bodyMemoryBytes } = config
  const { log } = deps
  const maxConnections = affordableConnections(config.maxConnections)
  if (maxConnections < config.maxConnections) {
    log.warn(
      { maxConnections },
      'the limit on open files is too low for MAX_CONNECTIONS: the number of connections is reduced',
    )
  }
  const behindProxy = trustProxy !== undefined && trustProxy !== 0
  return openHttpServer({ ...config, maxConnections, behindProxy, log }, (isDraining) => {
    const { listener, messages } = createApp({
      ...deps,
      ...parts,
      session: { keys, now: deps.now, publicUrl: config.publicUrl },
      addresses: { keys: pageKeys, publicUrl: config.publicUrl },
      trustProxy,
      bodyMemoryBytes,
      securityContact: config.securityContact,
      environment: config.environment,
      isDraining,
      withDetails: config.operations === undefined,
    })
    return { listener: admission.guard(listener), messages }
  })
}

/** Creation works without the archive, so it is not essential. */
function createProbes({ organizations, invoices, artefacts }: GatewayDeps): Probe[] {
  return [
    {
      name: 'organizations',
      essential: true,
      check: (call) => organizations.checkOrganizations({}, call),
    },
    { name: 'invoices', essential: true, check: (call) => invoices.checkInvoices({}, call) },
    { name: 'artefacts', essential: false, check: (call) => artefacts.checkArtefacts({}, call) },
  ]
}
