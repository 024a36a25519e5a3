import { ownAddresses as at } from '@einvoicing/runtime/address'
import { readBusConfig } from '@einvoicing/events/config'
import { openBus } from '@einvoicing/events/open-bus'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { checkDependencies, selfCheck, type Probe } from '@einvoicing/rpc/readiness'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { readClearanceConfig } from './config'
import { openClearance } from './service'

const simulatorUrl = 'http://127.0.0.1:8090'

runProcess('clearance', process.env, {
  read: (env) => ({
    clearance: readClearanceConfig(env, simulatorUrl),
    bus: readBusConfig(env),
    invoices: env.peer('INVOICES_ADDRESS', at.invoices.rpc),
    health: env.address('HEALTH_ADDRESS', at.clearance.health),
  }),
  async open(settings, { now, log, closeAtEnd, connect }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    const invoices = connect(InvoicesService, settings.invoices)
    const bus = closeAtEnd(await openBus(settings.bus, log))
    const clearance = closeAtEnd(openClearance(settings.clearance, { bus, invoices, now, log }))
    // An unavailable platform never makes this process unready.
    const probes: Probe[] = [
      { name: bus.name, essential: true, check: () => bus.check() },
      { name: 'platform', essential: false, check: () => clearance.check() },
    ]
    closeAtEnd(
      health.startServing(
        selfCheck('clearance', (call) => checkDependencies(probes, { call, log })),
      ),
    )
  },
})
