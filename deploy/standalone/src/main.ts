import path from 'node:path'
import { openArtefacts, warnWithoutTimeStamps } from '@einvoicing/artefacts/service'
import { openClearance } from '@einvoicing/clearance/service'
import { openGateway } from '@einvoicing/gateway/service'
import { openInvoices } from '@einvoicing/invoices/service'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog, type Log } from '@einvoicing/runtime/log'
import { collectSooner } from '@einvoicing/runtime/memory'
import { collectRuntimeMetrics } from '@einvoicing/runtime/metrics'
import { warnOfOpenSecrets } from '@einvoicing/runtime/secret-file'
import { openAndServe, type Closable, type Fail } from '@einvoicing/runtime/serve'
import { openTracing } from '@einvoicing/runtime/trace'
import { openOrganizations } from '@einvoicing/organizations/service'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { SignerService } from '@einvoicing/proto/signer'
import { openSigner } from '@einvoicing/signer/service'
import { welcome } from './banner'
import { readConfig, type StandaloneConfig } from './config'
import { findDemoFile, writeDemoFile } from './demo-file'
import { lockDataFolder, warnOfOpenFolder } from './data-folder'
import { startSimulator } from './simulator-process'
import { writeTrustedCertificates } from './trusted-certificates'
import { openWiring } from './wiring'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  await warnOfOpenSecrets(config.secretFiles, log)
  await openAndServe(log, (opened, fail) => open(config, { log, opened, fail }))
}

interface Life {
  log: Log
  opened: Closable[]
  fail: Fail
}

async function open(config: StandaloneConfig, { log, opened, fail }: Life): Promise<void> {
  const { dataDir } = config
  const closeLater = <T extends Closable>(part: T): T => {
    opened.push(part)
    return part
  }
  collectSooner()
  collectRuntimeMetrics()
  // Opened first, and so closed last: spans that end during shutdown are sent too.
  closeLater(await openTracing(config.tracing, { service: 'standalone', log }))
  closeLater(lockDataFolder(dataDir))
  warnOfOpenFolder(dataDir, log)
  const wiring = closeLater(openWiring(config.wire, log))
  const bus = openInProcessBus(log)

  const signerService = closeLater(await openSigner(config.signer, { now, log }))
  warnWithoutTimeStamps(config.artefacts, log)
  const artefactsService = closeLater(await openArtefacts(config.artefacts, { now, log }))
  const signer = await wiring.join({
    name: 'signer',
    contract: SignerService,
    handlers: signerService.handlers,
  })
  const artefacts = await wiring.join({
    name: 'artefacts',
    contract: ArtefactsService,
    handlers: artefactsService.handlers,
  })
  const organizationsService = closeLater(
    await openOrganizations(config.organizations, { now, log, artefacts }),
  )
  const organizations = await wiring.join({
    name: 'organizations',
    contract: OrganizationsService,
    handlers: organizationsService.handlers,
  })
  if (config.simulator) {
    const { trustedCertificateFile = signerService.trustedCertificateFile } = config.simulator
    const simulatorDir = path.join(dataDir, 'simulator')
    const options = {
      ...config.simulator,
      host: '127.0.0.1',
      dataDir: simulatorDir,
      trustedCertificateFile,
      log,
    }
    closeLater(await startSimulator(options))
    await writeTrustedCertificates(dataDir, trustedCertificateFile)
  }
  const invoicesService = closeLater(
    await openInvoices(config.invoices, { signer, artefacts, bus, now, log, fail }),
  )
  const invoices = await wiring.join({
    name: 'invoices',
    contract: InvoicesService,
    handlers: invoicesService.handlers,
  })
  closeLater(openClearance(config.clearance, { bus, invoices, now, log }))
  closeLater(bus)

  const demo = config.demo ? await organizationsService.createDemo() : undefined
  const gateway = { organizations, invoices, artefacts, now, log }
  const { url } = closeLater(await openGateway(config.gateway, gateway))
  if (demo) await writeDemoFile(dataDir, url, demo)
  const { simulator } = config
  process.stdout.write(welcome({ url, dataDir, demo, demoFile: findDemoFile(dataDir), simulator }))
}

main().catch((error: unknown) => {
  const { message, stack } = error as Error
  process.stderr.write(`${process.env['LOG_LEVEL'] === 'debug' ? stack : message}\n`)
  process.exit(1)
})
