import { openArtefacts, warnWithoutTimeStamps } from '@einvoicing/artefacts/service'
import { openClearance } from '@einvoicing/clearance/service'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { openGateway } from '@einvoicing/gateway/service'
import { openInvoices } from '@einvoicing/invoices/service'
import { openOrganizations } from '@einvoicing/organizations/service'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { SignerService } from '@einvoicing/proto/signer'
import { systemClock as now } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { CloseAtEnd, Fail } from '@einvoicing/runtime/serve'
import type { Signer } from '@einvoicing/signer/service'
import { welcome } from './banner'
import type { StandaloneConfig } from './config'
import { findDemoFile, writeDemoFile } from './demo-file'
import { openWiring } from './wiring'

export interface ServicesDeps {
  signer: Signer
  /** Settled when the simulator listens, or cannot. */
  simulator: Promise<void>
  log: Log
  fail: Fail
  closeAtEnd: CloseAtEnd
}

/** Everything but the signer, and the gateway last. Resolves when requests are answered. */
export async function openServices(config: StandaloneConfig, deps: ServicesDeps): Promise<void> {
  const { log, fail, closeAtEnd } = deps
  const { dataDir } = config
  const wiring = closeAtEnd(openWiring(config.wire, log))
  const bus = openInProcessBus(log)
  warnWithoutTimeStamps(config.artefacts, log)
  const artefactsService = closeAtEnd(await openArtefacts(config.artefacts, { now, log }))
  const signer = await wiring.join({
    name: 'signer',
    contract: SignerService,
    handlers: deps.signer.handlers,
  })
  const artefacts = await wiring.join({
    name: 'artefacts',
    contract: ArtefactsService,
    handlers: artefactsService.handlers,
  })
  await deps.simulator
  const invoicesService = closeAtEnd(
    await openInvoices(config.invoices, { signer, artefacts, bus, now, log, fail }),
  )
  const invoices = await wiring.join({
    name: 'invoices',
    contract: InvoicesService,
    handlers: invoicesService.handlers,
  })
  // Between the two: clearance publishes until it has closed, and the bus delivers to invoices.
  closeAtEnd(bus)
  closeAtEnd(openClearance(config.clearance, { bus, invoices, now, log }))
  // Closed before those that may wait for outside servers for as long as the stop may last.
  const organizationsService = closeAtEnd(
    await openOrganizations(config.organizations, { now, log, artefacts }),
  )
  const organizations = await wiring.join({
    name: 'organizations',
    contract: OrganizationsService,
    handlers: organizationsService.handlers,
  })

  const demo = config.demo ? await organizationsService.createDemo() : undefined
  const gateway = { organizations, invoices, artefacts, now, log }
  const { url } = closeAtEnd(await openGateway(config.gateway, gateway))
  if (demo) await writeDemoFile(dataDir, url, demo)
  const { simulator } = config
  process.stdout.write(welcome({ url, dataDir, demo, demoFile: findDemoFile(dataDir), simulator }))
}
