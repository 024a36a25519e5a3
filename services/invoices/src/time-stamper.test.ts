import { randomUUID } from 'node:crypto'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { createLog } from '@einvoicing/runtime/log'
import { RequestsFirst } from './requests-first'
import type { InvoiceStore } from './store/store'
import { anInvoice, dueWork, signedWrite } from './store/testdata/invoices'
import { useSqliteStore } from './store/testdata/sqlite'
import { untilHolds, neighbours } from './testdata/neighbours'
import { startTimeStamper } from './time-stamper'

describe('the time stamper', () => {
  let store: InvoiceStore
  let stamper: ReturnType<typeof startTimeStamper> | undefined
  let nowMs: number
  const requested: string[] = []
  const refused = new Set<string>()
  const lost = new Set<string>()
  let isUnavailable: boolean
  let leaseUntil: string
  let deadline: number

  const start = () => {
    const { artefacts } = neighbours()
    stamper = startTimeStamper({
      store: {
        ...store,
        takeWork(due) {
          leaseUntil = due.leaseUntil
          return store.takeWork(due)
        },
      },
      requests: new RequestsFirst(),
      now: () => new Date(nowMs),
      log: createLog('silent'),
      artefacts: {
        ...artefacts,
        async timeStampSignature({ invoiceId }, call) {
          deadline = call.deadline
          requested.push(invoiceId)
          if (lost.has(invoiceId)) throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'It is lost.')
          if (isUnavailable || refused.has(invoiceId)) throw unavailable('The time-stamp authority')
          return { token: Buffer.from(invoiceId), time: '2026-05-03T10:00:00.000Z' }
        },
      },
    })
  }
  const archived = async (organizationId: string, count: number) => {
    const invoices = Array.from({ length: count }, () =>
      anInvoice({ id: randomUUID(), organizationId }),
    )
    await Promise.all(invoices.map((invoice) => store.create(signedWrite(invoice))))
    const work = await dueWork(store, { count })
    await Promise.all(work.map((one) => store.finishWork(one)))
    return invoices.map(({ id }) => id)
  }
  const waiting = async () => (await store.backlogs()).timeStamps.count

  // Ended before the store closes.
  afterEach(() => stamper?.close())
  useSqliteStore((opened) => {
    store = opened
    nowMs = Date.now()
    requested.length = 0
    refused.clear()
    lost.clear()
    isUnavailable = false
  })

  it('lets no organization whose stamps fail delay those of another', async () => {
    for (const id of await archived('org-1', 100)) refused.add(id)
    const few = await archived('org-2', 20)
    start()
    await untilHolds(waiting, (count) => count === 100)
    for (const id of few)
      expect(await store.get('org-2', id)).toMatchObject({ signatureLevel: 'XAdES-B-T' })
    expect(await waiting()).toBe(100)
    // In turns, and some of the one under way.
    expect(Math.max(...few.map((id) => requested.indexOf(id)))).toBeLessThan(3 * few.length)
  })

  it('ends the work for documents that the archive no longer has', async () => {
    for (const id of await archived('org-1', 10)) lost.add(id)
    const [id] = await archived('org-1', 1)
    start()
    await untilHolds(waiting, (count) => count === 0)
    expect(requested).toHaveLength(11)
    expect(await store.get('org-1', id!)).toMatchObject({ signatureLevel: 'XAdES-B-T' })
  })

  it('stores nothing while the authority is unavailable, retries rarely, and continues when it is back', async () => {
    const ids = await archived('org-1', 30)
    isUnavailable = true
    start()
    await untilHolds(
      async () => requested.length,
      (count) => count >= 5,
    )
    await stamper!.close()
    expect(requested.length).toBeLessThan(20)
    expect(await waiting()).toBe(30)
    isUnavailable = false
    nowMs += 6_000
    start()
    await untilHolds(waiting, (count) => count === 0)
    for (const id of ids) {
      expect((await store.readEvidence('org-1', id))?.token).toEqual(Buffer.from(id))
    }
  })

  it('retries at once what failed while the clock was hours ahead', async () => {
    await archived('org-1', 1)
    isUnavailable = true
    nowMs += 5 * 3_600_000
    start()
    await untilHolds(
      async () => requested.length,
      (count) => count === 1,
    )
    await stamper!.close()
    isUnavailable = false
    nowMs = Date.now()
    start()
    await untilHolds(waiting, (count) => count === 0)
  })

  it('holds work for longer than a request may take', async () => {
    await archived('org-1', 1)
    start()
    await untilHolds(waiting, (count) => count === 0)
    expect(Date.parse(leaseUntil)).toBeGreaterThan(deadline + 4_000)
  })

  it('requests no second stamp when one was stored before a crash', async () => {
    const [id] = await archived('org-1', 1)
    const [work] = await dueWork(store, { queue: 'time-stamps' })
    await store.keepTimeStamp(work!, {
      level: 'XAdES-B-T',
      timeStampedAt: '2026-05-03T10:00:00.000Z',
      token: Buffer.from('first'),
    })
    await store.create(signedWrite(anInvoice({ id: randomUUID() })))
    start()
    await stamper!.close()
    expect(requested).toEqual([])
    expect((await store.readEvidence('org-1', id!))?.token).toEqual(Buffer.from('first'))
  })
})
