import { ownAddresses as at } from '@einvoicing/runtime/address'
import { readBusConfig } from '@einvoicing/events/config'
import { openBus } from '@einvoicing/events/open-bus'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { SignerService } from '@einvoicing/proto/signer'
import { readInvoicesConfig } from './config'
import { openInvoices } from './service'

runProcess('invoices', process.env, {
  read: (env, dataDir) => ({
    invoices: readInvoicesConfig(env, dataDir),
    bus: readBusConfig(env),
    signer: env.peer('SIGNER_ADDRESS', at.signer.rpc),
    artefacts: env.peer('ARTEFACTS_ADDRESS', at.artefacts.rpc),
    rpc: env.address('RPC_ADDRESS', at.invoices.rpc),
    health: env.address('HEALTH_ADDRESS', at.invoices.health),
  }),
  async open(settings, { now, log, closeAtEnd, fail, connect, serve }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    const signer = connect(SignerService, settings.signer)
    const artefacts = connect(ArtefactsService, settings.artefacts)
    const bus = await openBus(settings.bus, log)
    const deps = { signer, artefacts, bus, now, log, fail }
    const { handlers } = closeAtEnd(await openInvoices(settings.invoices, deps))
    closeAtEnd(bus)
    const endpoint = { address: settings.rpc, handlers }
    await serve(InvoicesService, endpoint)
    closeAtEnd(
      health.startServing(selfCheck('invoices', (call) => handlers.checkInvoices({}, call))),
    )
  },
})
