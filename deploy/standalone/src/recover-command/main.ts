/**
 * An operator's command on a data folder that no process runs on: tells which invoices its archive
 * has and its store has not, and takes them back.
 */

import path from 'node:path'
import { openArtefacts } from '@einvoicing/artefacts/service'
import { readArtefactsConfig } from '@einvoicing/artefacts/config'
import { readInvoicesConfig } from '@einvoicing/invoices/config'
import { tellRecovery } from '@einvoicing/invoices/recovery/print-recovery'
import { openStore } from '@einvoicing/invoices/store/open-store'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { closeAll, type Closable } from '@einvoicing/runtime/serve'
import { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import { lockDataFolder } from '../data-folder'

async function main(): Promise<number> {
  const env = new EnvReader(process.env)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const [invoices, archive] = [readInvoicesConfig(env, dataDir), readArtefactsConfig(env, dataDir)]
  env.throwErrors()
  const log = createLog('warn', process.stderr)
  const opened: Closable[] = []
  const keep = <T extends Closable>(part: T): T => {
    opened.push(part)
    return part
  }
  try {
    return await tellRecovery(process.argv.slice(2), async () => {
      keep(lockDataFolder(dataDir))
      const artefacts = keep(await openArtefacts(archive, { now, log })).handlers
      // What the command was doing is rejected, and ends it.
      const fail = (err: Error) => log.error({ err }, 'a part is broken')
      const trusted = new TrustedCertificates(archive.trust)
      const store = keep(await openStore(invoices, { now, log, fail }))
      return { artefacts, store, trusted, now }
    })
  } finally {
    await closeAll(opened, log)
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  },
)
