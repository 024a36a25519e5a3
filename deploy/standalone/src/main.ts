import path from 'node:path'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog, type Log } from '@einvoicing/runtime/log'
import { setHeapFlags } from '@einvoicing/runtime/memory'
import { collectRuntimeMetrics } from '@einvoicing/runtime/metrics'
import { warnOfOpenSecrets } from '@einvoicing/runtime/secret-file'
import { exitOnError, openAndServe, type Closable, type Fail } from '@einvoicing/runtime/serve'
import { openTracing } from '@einvoicing/runtime/trace'
import { openSigner } from '@einvoicing/signer/service'
import { readConfig, type StandaloneConfig } from './config'
import { lockDataFolder, warnOfOpenFolder } from './data-folder'
import type { CloseLater } from './services'
import { startSimulator } from './simulator-process'
import { writeTrustedCertificates } from './trusted-certificates'

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
  const closeLater: CloseLater = (part) => {
    opened.push(part)
    return part
  }
  // Half, so that a million invoices fit into 400 MiB.
  setHeapFlags({ growingPercent: 50 })
  collectRuntimeMetrics()
  // Opened first, and so closed last: spans that end during shutdown are sent too.
  closeLater(await openTracing(config.tracing, { service: 'standalone', log }))
  closeLater(lockDataFolder(dataDir))
  warnOfOpenFolder(dataDir, log)

  const signer = closeLater(await openSigner(config.signer, { now, log }))
  const simulator = openSimulator(config, {
    signersCertificateFile: signer.trustedCertificateFile,
    log,
    closeLater,
  })
  // openServices waits for it; a failure before that must not end the process without its sentence.
  simulator.catch(() => undefined)
  // Loaded while the simulator starts: each takes a third of the start.
  const { openServices } = await import('@einvoicing/standalone/services')
  await openServices(config, { signer, simulator, log, fail, closeLater })
}

interface SimulatorDeps {
  signersCertificateFile: string | undefined
  log: Log
  closeLater: CloseLater
}

/** Resolves at once when another platform is set. */
async function openSimulator(
  { dataDir, simulator }: StandaloneConfig,
  { signersCertificateFile, log, closeLater }: SimulatorDeps,
): Promise<void> {
  if (!simulator) return
  const { trustedCertificateFile = signersCertificateFile } = simulator
  const simulatorDir = path.join(dataDir, 'simulator')
  closeLater(
    await startSimulator({
      ...simulator,
      host: '127.0.0.1',
      dataDir: simulatorDir,
      trustedCertificateFile,
      log,
    }),
  )
  await writeTrustedCertificates(dataDir, trustedCertificateFile)
}

exitOnError(main(), process.env)
