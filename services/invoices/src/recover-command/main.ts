/**
 * An operator's command, with the settings of the invoices service: tells which invoices the
 * archive has and a restored store has not, and takes them back.
 */

import { ownAddresses as at } from '@einvoicing/runtime/address'
import { runCommand } from '@einvoicing/rpc/service-process'
import { readTrustConfig, TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { readInvoicesConfig } from '../config'
import { tellRecovery } from '../recovery/print-recovery'
import { openStore } from '../store/open-store'

runCommand('invoices', process.env, {
  read: (env, dataDir) => ({
    invoices: readInvoicesConfig(env, dataDir),
    artefacts: env.peer('ARTEFACTS_ADDRESS', at.artefacts.rpc),
    trust: readTrustConfig(env, dataDir),
  }),
  run: (settings, { now, log, closeAtEnd: keep, fail, connect }) =>
    tellRecovery(process.argv.slice(2), async () => ({
      artefacts: connect(ArtefactsService, settings.artefacts),
      store: keep(await openStore(settings.invoices, { now, log, fail })),
      trusted: new TrustedCertificates(settings.trust),
      now,
    })),
})
