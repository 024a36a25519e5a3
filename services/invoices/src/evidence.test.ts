import { randomUUID } from 'node:crypto'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { AddEvidenceRequest, EvidenceAnswer } from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { createLog } from '@einvoicing/runtime/log'
import type { Loop } from '@einvoicing/runtime/loop'
import { startEvidence } from './evidence'
import { startRenewals } from './renewals'
import { RequestsFirst } from './requests-first'
import type { DueWork, InvoiceStore } from './store/store'
import { anInvoice, dueWork, signedWrite } from './store/testdata/invoices'
import { useSqliteStore } from './store/testdata/sqlite'
import { untilHolds, neighbours } from './testdata/neighbours'

const timeStampedAt = '2026-05-03T10:00:00.000Z'
const done = { level: 'XAdES-B-LTA', artefact: 1, timeStampedAt }

let store: InvoiceStore
let loops: Loop[]
let nowMs: number
let asked: AddEvidenceRequest[]
let answer: (request: AddEvidenceRequest) => EvidenceAnswer
let leaseUntil: string
let deadline: number
let errors: Record<string, unknown>[]

// Stopped before the store closes.
afterEach(() => stop())
useSqliteStore((opened) => {
  store = opened
  nowMs = Date.now()
  ;[loops, asked, errors] = [[], [], []]
  answer = () => done
})

const stop = () => Promise.all(loops.splice(0).map((loop) => loop.close()))
const deps = () => ({
  now: () => new Date(nowMs),
  log: createLog('error', { write: (line) => void errors.push(JSON.parse(line)) }),
  store: {
    ...store,
    takeWork(due: DueWork) {
      leaseUntil = due.leaseUntil
      return store.takeWork(due)
    },
  },
  requests: new RequestsFirst(),
  artefacts: {
    ...neighbours().artefacts,
    async addEvidence(request: AddEvidenceRequest, call: Call) {
      deadline = call.deadline
      asked.push(request)
      return answer(request)
    },
  },
})
const start = () => loops.push(startEvidence(deps()))

/** Time-stamped, with evidence due from then on. */
async function stamped(count: number, due = new Date(nowMs).toISOString()): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids) await store.create(signedWrite(anInvoice({ id })))
  for (const work of await dueWork(store, { count })) await store.finishWork(work)
  for (const work of await dueWork(store, { count, queue: 'time-stamps' })) {
    const token = Buffer.from(work.invoiceId)
    await store.keepTimeStamp(work, { level: 'XAdES-B-T', timeStampedAt, token }, due)
  }
  return ids
}
const waiting = async () => (await store.backlogs()).evidence.count

it('is added when due, from the stored token, and then read', async () => {
  const [later] = await stamped(1, new Date(nowMs + 3_600_000).toISOString())
  const ids = await stamped(30)
  start()
  await untilHolds(waiting, (count) => count === 1)
  for (const invoiceId of ids) {
    expect(await store.readEvidence('org-1', invoiceId)).toEqual(done)
    expect(await store.get('org-1', invoiceId)).toMatchObject({ signatureLevel: 'XAdES-B-LTA' })
  }
  expect(asked.map(({ invoiceId }) => invoiceId)).not.toContain(later)
  const { token, artefact, invoiceDate } = asked[0]!
  expect(token).toEqual(Buffer.from(asked[0]!.invoiceId))
  expect({ artefact, invoiceDate }).toEqual({
    artefact: undefined,
    invoiceDate: anInvoice().invoiceDate,
  })
})

it('waits as long as the answer says, without counting that as a failure', async () => {
  const [id] = await stamped(1)
  const waitUntil = new Date(nowMs + 86_400_000).toISOString()
  answer = () => ({ waitUntil })
  start()
  const queue = 'evidence' as const
  const at = (now: string) => dueWork(store, { queue, now })
  await untilHolds(
    async () => asked.length,
    (count) => count > 0,
  )
  await stop()
  expect(await dueWork(store, { queue, now: new Date(nowMs).toISOString() })).toEqual([])
  expect(await at(waitUntil)).toMatchObject([{ invoiceId: id, attempts: 0 }])
})

it('is held for longer than a request may take', async () => {
  await stamped(1)
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(Date.parse(leaseUntil)).toBeGreaterThan(deadline + 4_000)
})

it('is retried after failures, a few at a time, and never given up', async () => {
  await stamped(30)
  answer = () => {
    throw unavailable('Revocation data')
  }
  start()
  await untilHolds(
    async () => asked.length,
    (count) => count >= 5,
  )
  await stop()
  expect(asked.length).toBeLessThan(20)
  expect(await waiting()).toBe(30)
  answer = () => done
  nowMs += 6_000
  start()
  await untilHolds(waiting, (count) => count === 0)
})

it('ends when the document is no longer in the archive, and others do not wait for it', async () => {
  const lost = await stamped(30)
  const [present] = await stamped(1)
  answer = ({ invoiceId }) => {
    if (invoiceId === present) return done
    throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
  }
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(asked).toHaveLength(31)
  expect(await store.readEvidence('org-1', present!)).toEqual(done)
  expect(errors.map((line) => line['invoiceId']).sort()).toEqual(lost.sort())

  await stop()
  answer = () => done
  await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: lost[0]! }])
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(await store.readEvidence('org-1', lost[0]!)).toEqual(done)
})

it('is not renewed again when its artefact is no longer in the archive', async () => {
  const [lost] = await stamped(1)
  answer = () => ({ ...done, renewBy: new Date(nowMs + 1_000).toISOString() })
  start()
  await untilHolds(waiting, (count) => count === 0)
  await stop()
  nowMs += 2_000
  answer = () => {
    throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The evidence is not in the archive.')
  }
  const due = () => store.listRenewals(new Date(nowMs).toISOString(), 10)
  await store.requestEvidence('evidence', await due())
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(await due()).toEqual([])
  expect(await store.readEvidence('org-1', lost!)).toEqual(done)
})

it('stops when no time stamp is configured, and stamps everything once one is', async () => {
  const [wanted] = await stamped(1)
  answer = () => ({})
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(await store.readEvidence('org-1', wanted!)).toMatchObject({ level: 'XAdES-B-T' })
  await stop()
  const id = randomUUID()
  await store.create(signedWrite(anInvoice({ id })))
  await store.finishWork((await dueWork(store))[0]!)
  await store.finishWork((await dueWork(store, { queue: 'time-stamps' }))[0]!)
  await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: id }])
  start()
  await untilHolds(waiting, (count) => count === 0)
  await stop()
  expect(await dueWork(store, { queue: 'time-stamps' })).toMatchObject([{ invoiceId: id }])
})

it('is renewed once it is due, from the artefact before', async () => {
  const [renewed, fresh] = await stamped(2)
  answer = ({ invoiceId }) => {
    const years = invoiceId === renewed ? 1 : 3
    return { ...done, renewBy: new Date(nowMs + years * 31_536_000_000).toISOString() }
  }
  start()
  await untilHolds(waiting, (count) => count === 0)
  await stop()
  nowMs += 2 * 31_536_000_000
  asked.length = 0
  answer = ({ artefact = 0 }) => ({ ...done, artefact: artefact + 1 })
  const requested: string[] = []
  loops.push(startRenewals({ ...deps(), onRequested: () => requested.push('once') }))
  await untilHolds(
    async () => requested.length,
    (count) => count > 0,
  )
  start()
  await untilHolds(waiting, (count) => count === 0)
  expect(asked).toMatchObject([{ invoiceId: renewed, artefact: 1, token: undefined }])
  expect(await store.readEvidence('org-1', renewed!)).toEqual({ ...done, artefact: 2 })
  expect(await store.readEvidence('org-1', fresh!)).toMatchObject({ artefact: 1 })
})
