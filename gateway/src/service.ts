import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { openHealthServer, type HealthServer } from '@einvoicing/rpc/health-server'
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
  const operations = await openOperations(config, deps.log)
  try {
    return await openPublic(config, deps, operations)
  } catch (error) {
    await operations?.close()
    throw error
  }
}

/** Opened first and closed last: it answers while the public port is full. */
async function openOperations(
  { operations }: GatewayConfig,
  log: Log,
): Promise<HealthServer | undefined> {
  return operations && openHealthServer(operations, { log, setting: 'OPERATIONS_ADDRESS' })
}

async function openPublic(
  config: GatewayConfig,
  deps: GatewayDeps,
  operations: HealthServer | undefined,
): Promise<Gateway> {
  const keys = await openTokenKeys('SESSION_SECRET_FILE', config.sessionSecret)
  const { verifySecret } = config
  const pageKeys = verifySecret && (await openTokenKeys('VERIFY_SECRET_FILE', verifySecret))
  if (!pageKeys) deps.log.warn('VERIFY_SECRET_FILE is not set: documents get no verification page')
  const rateLimit = await openRateLimit(config, deps.log, deps.redisTimes)
  const probes = [...createProbes(deps), ...rateLimit.probes]
  const events = new InvoiceEvents(deps)
  const admission = new Admission(deps.log)
  const threads = new VerificationThreads()
  const readiness = selfCheck('gateway', (call) =>
    checkDependencies(probes, { call, log: deps.log }),
  )
  try {
    const opened = { keys, pageKeys, rateLimit, readiness, events, admission, threads }
    const server = await listen(config, deps, opened)
    const watch = operations?.started(readiness) ?? watchReadiness(readiness)
    return {
      ...server,
      operationsPort: operations?.port,
      async close() {
        await watch.close()
        events.close()
        await server.close()
        await threads.close()
        admission.close()
        rateLimit.close()
        await operations?.close()
      },
    }
  } catch (error) {
    admission.close()
    rateLimit.close()
    throw error
  }
}

interface Opened {
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
  { keys, pageKeys, admission, ...opened }: Opened,
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
      ...opened,
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
