import path from 'node:path'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog, type Log } from '@einvoicing/runtime/log'
import { setHeapFlags } from '@einvoicing/runtime/memory'
import { collectRuntimeMetrics } from '@einvoicing/runtime/metrics'
import { warnOfOpenSecrets } from '@einvoicing/runtime/secret-file'
import {
  createCloseAtEnd,
  exitOnError,
  openAndServe,
  type Closable,
  type CloseAtEnd,
  type Fail,
} from '@einvoicing/runtime/serve'
import { openTracing } from '@einvoicing/runtime/trace'
import { openSigner } from '@einvoicing/signer/service'
import { readConfig, type StandaloneConfig } from './config'
import { lockDataFolder, warnOfOpenFolder } from './data-folder'
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
  const closeAtEnd = createCloseAtEnd(opened)
  // Half, so that a million invoices fit into 400 MiB.
  setHeapFlags({ growingPercent: 50 })
  collectRuntimeMetrics()
  // Opened first, and so closed last: spans that end during shutdown are sent too.
  closeAtEnd(await openTracing(config.tracing, { service: 'standalone', log }))
  closeAtEnd(lockDataFolder(dataDir))
  warnOfOpenFolder(dataDir, log)

  const signer = closeAtEnd(await openSigner(config.signer, { now, log }))
  const simulator = openSimulator(config, {
    signersCertificateFile: signer.trustedCertificateFile,
    log,
    closeAtEnd,
  })
  // openServices waits for it; a failure before that must not end the process without its sentence.
  simulator.catch(() => undefined)
  // Loaded while the simulator starts: each takes a third of the start.
  const { openServices } = await import('@einvoicing/standalone/services')
  await openServices(config, { signer, simulator, log, fail, closeAtEnd })
}

interface SimulatorDeps {
  signersCertificateFile: string | undefined
  log: Log
  closeAtEnd: CloseAtEnd
}

async function openSimulator(
  { dataDir, simulator }: StandaloneConfig,
  { signersCertificateFile, log, closeAtEnd }: SimulatorDeps,
): Promise<void> {
  if (!simulator) return
  const { trustedCertificateFile = signersCertificateFile } = simulator
  const simulatorDir = path.join(dataDir, 'simulator')
  closeAtEnd(
    await startSimulator({
      ...simulator,
      dataDir: simulatorDir,
      trustedCertificateFile,
      log,
    }),
  )
  await writeTrustedCertificates(dataDir, trustedCertificateFile)
}

exitOnError(main(), process.env)
