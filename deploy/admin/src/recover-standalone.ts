import path from 'node:path'
import { readArtefactsConfig } from '@einvoicing/artefacts/config'
import { openArtefacts } from '@einvoicing/artefacts/service'
import { readInvoicesConfig } from '@einvoicing/invoices/config'
import type { RecoveryOptions } from '@einvoicing/invoices/recovery/recover-invoices'
import { openStore } from '@einvoicing/invoices/store/open-store'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { closeAll, createCloseAtEnd, type Closable } from '@einvoicing/runtime/serve'
import { lockDataFolder } from '@einvoicing/standalone/data-folder'
import { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { Shell } from './shell'
import { printRecovery } from './recover'

/** On a data folder that no process runs on. */
export async function recover(shell: Shell, options: RecoveryOptions): Promise<number> {
  const env = new EnvReader(shell.environment)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const [invoices, archive] = [readInvoicesConfig(env, dataDir), readArtefactsConfig(env, dataDir)]
  env.throwErrors()
  const log = createLog('warn', process.stderr)
  const opened: Closable[] = []
  const closeAtEnd = createCloseAtEnd(opened)
  try {
    closeAtEnd(lockDataFolder(dataDir))
    const artefacts = closeAtEnd(await openArtefacts(archive, { now, log })).handlers
    const fail = (err: Error) => log.error({ err }, 'the store failed')
    const trusted = new TrustedCertificates(archive.trust)
    const store = closeAtEnd(await openStore(invoices, { now, log, fail }))
    return await printRecovery(shell, { artefacts, store, trusted, now }, options)
  } finally {
    await closeAll(opened, log)
  }
}
