/** Clearance as a process of its own: it has no door, it listens to the bus. */

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
  async open(settings, { now, log, closeAtEnd: keep, connect }) {
    const health = keep(await openHealthServer(settings.health, { log }))
    const invoices = connect(InvoicesService, settings.invoices)
    const bus = await openBus(settings.bus, log)
    const clearance = keep(openClearance(settings.clearance, { bus, invoices, now, log }))
    keep(bus)
    // A dead platform is waited for; it never makes us unready.
    const probes: Probe[] = [
      { name: bus.name, essential: true, check: () => bus.check() },
      { name: 'platform', essential: false, check: () => clearance.check() },
    ]
    keep(health.started(selfCheck('clearance', (call) => checkDependencies(probes, { call, log }))))
  },
})
