import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { Service } from '@einvoicing/rpc/call'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { SignerService } from '@einvoicing/proto/signer'
import type { InvoiceStore } from './store/store'

export interface Deps {
  store: InvoiceStore
  signer: Service<SignerService>
  artefacts: Service<ArtefactsService>
  now: Clock
  newInvoiceId: () => string
  log: Log
}
