import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { systemClock } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { serveUntilSignal } from '@einvoicing/runtime/serve'
import { readPemCertificates } from './examination/certificates'
import { readSimulatorConfig } from './config'
import { ExaminationThreads } from './examination/examination-threads'
import { PortTaken } from './http/listen'
import { leaveSignalsToParent, runUntilParentEnds } from './forked-process'
import { openSimulator } from './service'

async function main(): Promise<void> {
  const forked = process.send !== undefined
  if (forked) leaveSignalsToParent()

  const env = new EnvReader(process.env)
  const config = readSimulatorConfig(env)
  env.throwErrors()
  const log = createLog(config.logLevel).child({ service: 'simulator' })

  const trustedCertificates = readTrusted(config.trustedCertificatesFile)
  const threads = new ExaminationThreads({ trustedCertificates })
  const simulator = await openSimulator({
    ...config,
    address: config,
    examine: threads.examine,
    now: systemClock,
    chance: Math.random,
    log,
  })
  // Not before: on a busy machine the start would take longer than the service waits for it.
  lowerPriority()
  log.info({ host: config.host, port: simulator.port }, 'clearance simulator listening')

  const opened = [threads, simulator]
  if (forked) await runUntilParentEnds(simulator.port, opened, log)
  else await serveUntilSignal(opened, log)
}

/** Leaves most of the processor to the service; threads made later inherit this. */
function lowerPriority(): void {
  // Linux has a priority for each thread: 0 is the one that calls.
  const threads = '/proc/self/task'
  const ids = existsSync(threads) ? readdirSync(threads).map(Number) : [0]
  for (const id of ids) {
    try {
      setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The thread has ended.
    }
  }
}

/** Throws `SettingsError` without a certificate: every invoice would be rejected. */
function readTrusted(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    if (readPemCertificates(pem).length === 0) throw new Error('it holds no certificate')
    return pem
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError([`SIMULATOR_TRUSTED_CERTIFICATES cannot be used: ${reason}`])
  }
}

main().catch((error: unknown) => {
  const isOperatorError = error instanceof SettingsError || error instanceof PortTaken
  process.stderr.write(`${isOperatorError ? error.message : String((error as Error).stack)}\n`)
  process.exit(1)
})
