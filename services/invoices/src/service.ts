import { v7 as uuidV7 } from 'uuid'
import type { Bus } from '@einvoicing/events/bus'
import { callArchive } from '@einvoicing/rpc/checkpoint-archive'
import { startCheckpoints } from '@einvoicing/verification/audit/make-checkpoints'
import type { Probe } from '@einvoicing/rpc/readiness'
import { nextCall, type Call, type Service } from '@einvoicing/rpc/call'
import type { Fail } from '@einvoicing/runtime/serve'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import { startArchiver } from './archive'
import { startQueryingFailed } from './query-failed'
import type { InvoicesConfig } from './config'
import type { Deps } from './deps'
import { watchStore } from './metrics'
import { startEvidence } from './evidence'
import { startOutboxRelay } from './outbox'
import { recordAccepted, recordFailed, recordRejected, recordTransmitted } from './record-clearance'
import { invoicesHandlers } from './rpc/invoices'
import { startRenewals } from './renewals'
import { openStore } from './store/open-store'
import { RequestsFirst } from './requests-first'
import { startSweeper } from './sweep'
import { startTimeStamper } from './time-stamper'
import { openWakingStore } from './waking-store'

export interface Invoices {
  handlers: Service<InvoicesService>
  close(): Promise<void>
}

const recordingsInFlightMax = 64
const checkDeadlineMs = 2_000

export async function openInvoices(
  config: InvoicesConfig,
  options: Omit<Deps, 'store' | 'newInvoiceId'> & { bus: Bus; fail: Fail },
): Promise<Invoices> {
  const store = await openStore(config, options)
  const { bus } = options
  const relay = startOutboxRelay({ ...options, store })
  const requests = new RequestsFirst()
  const inBackground = { ...options, store, requests }
  const evidence = startEvidence(inBackground)
  const renewals = startRenewals({ ...options, store, onRequested: () => evidence.wake() })
  const stamper = startTimeStamper({ ...inBackground, onEvidenceDue: () => evidence.wake() })
  const archiver = startArchiver({ ...inBackground, onArchived: () => stamper.wake() })
  const wakingStore = openWakingStore(store, { relay, archiver, log: options.log })
  const deps: Deps = { ...options, store: wakingStore, newInvoiceId: uuidV7 }
  subscribe(bus, deps)
  const sweeper = startSweeper({ ...options, store: wakingStore })
  const asking = startQueryingFailed({ ...options, store })
  const watch = watchStore(deps)
  const checkpoints = startCheckpoints({
    auditLog: 'invoices',
    log: options.log,
    chains: store,
    now: options.now,
    archive: callArchive('invoices', options.artefacts),
  })
  return {
    handlers: requestsFirst(
      invoicesHandlers(deps, createProbes(config, { ...deps, bus })),
      requests,
    ),
    async close() {
      watch.close()
      const loops = [asking, sweeper, relay, archiver, stamper, renewals, checkpoints, evidence]
      await Promise.all(loops.map((loop) => loop.close()))
      await store.close()
    },
  }
}

/** Requests that sign are the ones with priority. */
function requestsFirst(
  handlers: Service<InvoicesService>,
  requests: RequestsFirst,
): Service<InvoicesService> {
  return {
    ...handlers,
    createInvoice: (request, call) => requests.serve(() => handlers.createInvoice(request, call)),
    creditInvoice: (request, call) => requests.serve(() => handlers.creditInvoice(request, call)),
    signInvoice: (request, call) => requests.serve(() => handlers.signInvoice(request, call)),
    async readSignedXml(request, call) {
      const signedXml = await handlers.readSignedXml(request, call)
      return requests.mustGiveWay() ? { ...signedXml, busy: true } : signedXml
    },
  }
}

/** Invoices are created without the bus and the archive, so neither is essential. */
function createProbes(
  config: InvoicesConfig,
  { store, bus, signer, artefacts }: Deps & { bus: Bus },
): Probe[] {
  const checkCall = (call: Call) => nextCall(call, 'invoices', checkDeadlineMs)
  return [
    { name: config.store.kind, essential: true, check: () => store.check() },
    { name: bus.name, essential: false, check: () => bus.check() },
    { name: 'signer', essential: true, check: (call) => signer.checkSigner({}, checkCall(call)) },
    {
      name: 'artefacts',
      essential: false,
      check: (call) => artefacts.checkArtefacts({}, checkCall(call)),
    },
  ]
}

function subscribe(bus: Bus, deps: Deps): void {
  const options = { name: 'invoices', inFlightMax: recordingsInFlightMax }
  bus.subscribe('clearance.transmitted', options, (event) => recordTransmitted(deps, event))
  bus.subscribe('clearance.accepted', options, (event) => recordAccepted(deps, event))
  bus.subscribe('clearance.rejected', options, (event) => recordRejected(deps, event))
  bus.subscribe('clearance.failed', options, (event) => recordFailed(deps, event))
}
