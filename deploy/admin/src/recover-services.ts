import { readInvoicesConfig } from '@einvoicing/invoices/config'
import { openStore } from '@einvoicing/invoices/store/open-store'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { executeCommand } from '@einvoicing/rpc/service-process'
import { ownAddresses } from '@einvoicing/runtime/address'
import { readTrustConfig, TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { RecoveryOptions } from '@einvoicing/invoices/recovery/recover-invoices'
import type { Shell } from './shell'
import { printRecovery } from './recover'

/** Where services are processes of their own: with the settings of invoices. */
export function recover(shell: Shell, options: RecoveryOptions): Promise<number> {
  return executeCommand('invoices', shell.environment, {
    read: (env, dataDir) => ({
      invoices: readInvoicesConfig(env, dataDir),
      artefacts: env.peer('ARTEFACTS_ADDRESS', ownAddresses.artefacts.rpc),
      trust: readTrustConfig(env, dataDir),
    }),
    run: async (settings, { now, log, closeAtEnd, fail, connect }) => {
      const artefacts = connect(ArtefactsService, settings.artefacts)
      const store = closeAtEnd(await openStore(settings.invoices, { now, log, fail }))
      const trusted = new TrustedCertificates(settings.trust)
      return printRecovery(shell, { artefacts, store, trusted, now }, options)
    },
  })
}
