import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AddEvidenceRequest, EvidenceAnswer } from '@einvoicing/proto/artefacts'
import { createLog } from '@einvoicing/runtime/log'
import type { Loop } from '@einvoicing/runtime/loop'
import { describeWith } from '@einvoicing/servers/describe-with'
import { inBatches } from '@einvoicing/servers/in-batches'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { startEvidence } from './evidence'
import { startRenewals } from './renewals'
import { RequestsFirst } from './requests-first'
import { openMongoStore } from './store/mongo/mongo-store'
import type { InvoiceStore } from './store/store'
import { anInvoice, dueWork, signedWrite } from './store/testdata/invoices'
import { neighbours } from './testdata/neighbours'

const documents = 1_000
// The store answers within 4 s or not at all: all at once are too many on a busy machine.
const atOnce = 100
const dayMs = 86_400_000
const timeStampedAt = '2026-05-03T10:00:00.000Z'
const log = createLog('silent')

describeWith('mongod', 'renewals of two processes', () => {
  let server: Mongod
  let nowMs = Date.now()
  const now = () => new Date(nowMs)
  const renewBy = new Date(nowMs + 365 * dayMs).toISOString()
  const later = new Date(nowMs + 3_650 * dayMs).toISOString()
  const opened: InvoiceStore[] = []
  const loops: Loop[] = []
  const renewals: Loop[] = []
  /** As the archive: by invoice, how many files its evidence has. */
  let files: Map<string, number>
  let stamps: number
  let calls: string[]

  beforeAll(async () => {
    server = await startMongod()
  })
  afterAll(() => server.dispose())
  beforeEach(() => {
    nowMs = Date.now()
    ;[files, stamps, calls] = [new Map(), 0, []]
  })
  afterEach(async () => {
    await stopAll()
    await Promise.all(opened.splice(0).map((store) => store.close()))
  })
  const stopAll = () => Promise.all(loops.splice(0).map((loop) => loop.close()))

  /** Decides by what is in the archive, and writes what is not there yet, as artefacts does. */
  const addEvidence = async ({ invoiceId }: AddEvidenceRequest): Promise<EvidenceAnswer> => {
    calls.push(invoiceId)
    const artefact = files.get(invoiceId) ?? 0
    // Where another process may come between.
    await setImmediate()
    if (artefact < 2 && nowMs >= Date.parse(artefact === 0 ? '' : renewBy)) {
      stamps += 1
      files.set(invoiceId, Math.max(files.get(invoiceId) ?? 0, artefact + 1))
      await setImmediate()
    }
    return { level: 'XAdES-B-LTA', artefact: files.get(invoiceId), timeStampedAt, renewBy: later }
  }

  const openDatabase = async () => {
    const url = server.url.replace(/\/(\?|$)/, `/renewals_${randomUUID()}$1`)
    return async () => {
      const store = await openMongoStore(
        { kind: 'mongodb', url },
        { now, log, times: patientTimes },
      )
      opened.push(store)
      return store
    }
  }
  /** Its own connections, and its own name as a writer. */
  const startProcess = (store: InvoiceStore) => {
    const artefacts = { ...neighbours().artefacts, addEvidence }
    const deps = { store, now, log, artefacts, requests: new RequestsFirst() }
    const evidence = startEvidence(deps)
    const renewing = startRenewals({ ...deps, onRequested: () => evidence.wake() })
    renewals.push(renewing)
    loops.push(evidence, renewing)
  }

  /** With evidence that is to be renewed in a year. */
  async function archived(store: InvoiceStore, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUID())
    const create = (id: string, index: number) =>
      store.create(signedWrite(anInvoice({ id, organizationId: `org-${index % 7}` })))
    await inBatches(ids, create, atOnce)
    const takeAll = async (queue: 'archive' | 'time-stamps' | 'evidence') => {
      const works = []
      for (let organization = 0; organization < 7; organization += 1) {
        const after = organization === 0 ? '' : `org-${organization - 1}`
        works.push(...(await dueWork(store, { count, queue, after })))
      }
      return works
    }
    await inBatches(await takeAll('archive'), (work) => store.finishWork(work), atOnce)
    const stampedAt = new Date(nowMs).toISOString()
    const token = Buffer.from('token')
    const stamp = { level: 'XAdES-B-T', timeStampedAt, token } as const
    const waiting = await takeAll('time-stamps')
    await inBatches(waiting, (work) => store.keepTimeStamp(work, stamp, stampedAt), atOnce)
    const kept = { level: 'XAdES-B-LTA', artefact: 1, timeStampedAt, renewBy } as const
    const last = await takeAll('evidence')
    await inBatches(last, (work) => store.keepEvidence(work, kept), atOnce)
    for (const id of ids) files.set(id, 1)
    return ids
  }

  const untilRenewed = async (store: InvoiceStore) => {
    const isDue = async () => (await store.listRenewals(now().toISOString(), 1)).length > 0
    const isUnderWay = async () =>
      (await store.listSigned(undefined, documents + 1)).some(({ isPending }) => isPending)
    while ((await isUnderWay()) || (await isDue())) {
      // They look once a minute, and take some hundred.
      for (const renewing of renewals) renewing.wake()
      await setTimeout(20)
    }
  }
  const expectRenewedOnce = async (store: InvoiceStore, ids: readonly string[]) => {
    expect(stamps).toBe(ids.length)
    expect([...files.values()].every((count) => count === 2)).toBe(true)
    const states = await store.listSigned(undefined, ids.length + 1)
    expect(states.map(({ invoiceId }) => invoiceId).sort()).toEqual([...ids].sort())
    for (const state of states) {
      expect(state).toMatchObject({ artefact: 2, renewBy: later, isPending: false })
    }
  }

  it('renew each once, and lose none', async () => {
    const open = await openDatabase()
    const [one, other] = [await open(), await open()]
    const ids = await archived(one, documents)
    nowMs += 366 * dayMs
    startProcess(one)
    startProcess(other)
    await untilRenewed(one)
    await stopAll()
    await expectRenewedOnce(one, ids)
    // Neither asked about what the other was doing.
    expect(calls).toHaveLength(documents)
  }, 90_000)
})
