import { randomUUID } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { createLog } from '@einvoicing/runtime/log'
import { startArchiver } from './archive'
import { nextAttempt, watchStoring } from './archive-attempts'
import { RequestsFirst } from './requests-first'
import type { InvoiceStore } from './store/store'
import { anInvoice, dueWork, signedWrite } from './store/testdata/invoices'
import { useSqliteStore } from './store/testdata/sqlite'
import { untilHolds, neighbours } from './testdata/neighbours'

const log = createLog('silent')
const minuteMs = 60_000

describe('the archiver', () => {
  let store: InvoiceStore
  let around: ReturnType<typeof neighbours>
  let nowMs: number
  let archiver: ReturnType<typeof startArchiver>
  let requests: RequestsFirst
  const tried: string[] = []
  const poisonous = new Set<string>()
  /** What the archive answers that it cannot store, while its check succeeds. */
  const unstorable = new Set<string>()
  /** Of pieces that the archive is slow to store. */
  let slow: Map<string, Promise<void>>

  const start = () => {
    const { artefacts } = around
    archiver = startArchiver({
      store,
      requests,
      now: () => new Date(nowMs),
      log,
      artefacts: {
        ...artefacts,
        async keepSignedXml(request) {
          tried.push(request.invoiceId)
          await slow.get(request.invoiceId)
          if (poisonous.has(request.invoiceId)) throw new Error('it holds other bytes')
          if (unstorable.has(request.invoiceId)) throw unavailable('The archive')
          return artefacts.keepSignedXml(request)
        },
      },
    })
  }
  const signed = async (organizationId: string, count: number) => {
    const invoices = Array.from({ length: count }, () =>
      anInvoice({ id: randomUUID(), organizationId, xmlSha256: 'x' }),
    )
    await Promise.all(invoices.map((invoice) => store.create(signedWrite(invoice))))
    return invoices.map(({ id }) => id)
  }
  const backlog = async () => {
    const { archive, archiveDeadLetters } = await store.backlogs()
    return { waiting: archive.count, dead: archiveDeadLetters.count }
  }

  // Ended before the store closes.
  afterEach(() => archiver.close())
  useSqliteStore((opened) => {
    store = opened
    around = neighbours()
    requests = new RequestsFirst()
    nowMs = Date.now()
    tried.length = 0
    poisonous.clear()
    unstorable.clear()
    slow = new Map()
  })

  it('lets no organization with 700 pieces that fail delay the 20 of another', async () => {
    for (const id of await signed('org-1', 700)) poisonous.add(id)
    const few = await signed('org-2', 20)
    start()
    await untilHolds(
      async () => few.filter((id) => around.kept.has(id)).length,
      (xml) => xml === 20,
    )
    // In turns: as many of the one as of the other, and what was under way.
    const last = Math.max(...few.map((id) => tried.indexOf(id)))
    expect(last).toBeLessThan(2 * few.length + 12)
    // None of the others is left untried, or tried again at once.
    await untilHolds(
      async () => tried.length,
      (count) => count >= 720,
    )
    await archiver.close()
    expect(new Set(tried).size).toBe(720)
    expect(tried).toHaveLength(720)
    expect(await backlog()).toEqual({ waiting: 700, dead: 0 })
  })

  it('tries what fails again after growing pauses, over restarts, then gives it up', async () => {
    const [id] = await signed('org-1', 1)
    poisonous.add(id!)
    const attempts = () => tried.length
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      start()
      await untilHolds(
        async () => attempts(),
        (count) => count === attempt,
      )
      await archiver.close()
      start()
      archiver.wake()
      await archiver.close()
      expect(attempts()).toBe(attempt)
      nowMs += Math.min(360, 2 ** (attempt - 2)) * minuteMs
    }
    expect(await backlog()).toEqual({ waiting: 0, dead: 1 })
    const [letter] = await store.listArchiveDeadLetters(undefined, 10)
    expect(letter).toMatchObject({ invoiceId: id, attempts: 12, error: 'it holds other bytes' })
    expect(await store.readXml('org-1', id!)).toBeDefined()

    poisonous.clear()
    await store.reviveArchiveWork(letter!)
    start()
    await untilHolds(backlog, ({ waiting }) => waiting === 0)
    expect(around.kept.has(id!)).toBe(true)
    expect(await backlog()).toEqual({ waiting: 0, dead: 0 })
  })

  it('takes small steps while requests keep the process busy, then all', async () => {
    requests = new RequestsFirst({ calmAfterMs: Infinity, stepMs: 20, longestMs: Infinity })
    const ends: (() => void)[] = []
    const creations = [1, 2, 3, 4].map(() =>
      requests.serve(() => new Promise<void>((resolve) => ends.push(resolve))),
    )
    const ids = await signed('org-1', 30)
    start()
    await untilHolds(backlog, ({ waiting }) => waiting === 0)
    expect(ids.every((id) => around.kept.has(id))).toBe(true)
    for (const end of ends) end()
    await Promise.all(creations)
  })

  describe('while one piece takes long', () => {
    let end: () => void
    beforeEach(async () => {
      const [first] = await signed('org-1', 1)
      slow.set(first!, new Promise((resolve) => (end = resolve)))
      start()
      await untilHolds(
        async () => tried,
        (ids) => ids.includes(first!),
      )
    })
    afterEach(() => end())

    it('archives what is signed now', async () => {
      for (const organizationId of ['org-1', 'org-2', 'org-1']) {
        const [id] = await signed(organizationId, 1)
        archiver.wake()
        await untilHolds(backlog, ({ waiting }) => waiting === 1)
        expect(around.kept.has(id!)).toBe(true)
      }
    }, 50_000)

    it('tries what failed again', async () => {
      const [id] = await signed('org-1', 1)
      poisonous.add(id!)
      archiver.wake()
      await untilHolds(
        async () => tried,
        (ids) => ids.includes(id!),
      )
      poisonous.clear()
      nowMs += minuteMs
      await untilHolds(backlog, ({ waiting }) => waiting === 1)
      expect(around.kept.has(id!)).toBe(true)
    }, 50_000)
  })

  it('counts no attempt while the archive itself is unavailable', async () => {
    const ids = await signed('org-1', 30)
    around.away.archive = true
    for (let run = 0; run < 60; run += 1) {
      start()
      archiver.wake()
      await archiver.close()
      nowMs += minuteMs
    }
    expect(await backlog()).toEqual({ waiting: 30, dead: 0 })
    around.away.archive = false
    start()
    await untilHolds(backlog, ({ waiting }) => waiting === 0)
    expect(ids.every((id) => around.kept.has(id))).toBe(true)
  })

  it('counts few attempts while the archive answers but stores nothing', async () => {
    const ids = await signed('org-1', 30)
    for (const id of ids) unstorable.add(id)
    for (let run = 0; run < 60; run += 1) {
      start()
      archiver.wake()
      await archiver.close()
      nowMs += 6 * 60 * minuteMs
    }
    expect(await backlog()).toEqual({ waiting: 30, dead: 0 })
    const all = await dueWork(store, { count: 99, now: new Date(nowMs).toISOString() })
    // The first four of each process.
    expect(all.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(4 * 60)
    expect(all).toHaveLength(30)
    start()
    archiver.wake()
    await archiver.close()
    unstorable.clear()
    nowMs += 5 * minuteMs
    start()
    await untilHolds(backlog, ({ waiting }) => waiting === 0)
    expect(ids.every((id) => around.kept.has(id))).toBe(true)
  })

  it('counts the attempts of what alone cannot be stored, and stores the rest', async () => {
    const bad = await signed('org-1', 30)
    for (const id of bad) unstorable.add(id)
    const others = await signed('org-2', 40)
    start()
    await untilHolds(backlog, ({ waiting }) => waiting === bad.length)
    expect(others.every((id) => around.kept.has(id))).toBe(true)
    await untilHolds(
      async () => new Set(tried).size,
      (count) => count === bad.length + others.length,
    )
    await archiver.close()
    const due = await dueWork(store, { count: 99, now: new Date(nowMs + minuteMs).toISOString() })
    const counted = due.filter(({ attempts }) => attempts > 0)
    expect(counted.length).toBeGreaterThan(20)
  })
})

it('notices that nothing is stored when five pieces fail and none was stored for half a minute', () => {
  let nowMs = 0
  const storing = watchStoring(() => nowMs)
  const failAll = (...positions: string[]) =>
    positions.map((position) => storing.isOutageAfter(position))
  expect(failAll('1', '1', '1', '1', '1', '2', '3', '4')).not.toContain(true)
  expect(failAll('5', '1')).toEqual([true, true])
  storing.stored()
  expect(failAll('1', '2', '3', '4', '5', '6')).not.toContain(true)
  nowMs += 30_001
  expect(failAll('1')).toEqual([true])
})

it('tries 12 times what the archive rejects, a week after temporary errors, and longer in an outage', () => {
  const now = new Date('2026-05-03T10:00:00Z')
  const last = (failed: Parameters<typeof nextAttempt>[1]) => {
    let attempts = 0
    for (let count = 1; count <= 10_000; count += 1) {
      const next = nextAttempt(attempts, failed)
      if (next.kind === 'give-up') return count
      attempts = next.attempts
    }
    return Infinity
  }
  expect(last({ outage: undefined, mayPass: false, now })).toBe(12)
  expect(last({ outage: undefined, mayPass: true, now })).toBe(2_000)
  expect(last({ outage: 'unreachable', mayPass: true, now })).toBe(Infinity)
  const pauses = (mayPass: boolean) =>
    [0, 1, 2, 9, 10, 30].map((failedBefore) => {
      const next = nextAttempt(failedBefore, { outage: undefined, mayPass, now })
      return next.kind === 'later' && (Date.parse(next.nextAttemptAt) - now.getTime()) / 1_000
    })
  expect(pauses(true)).toEqual([5, 10, 20, 300, 300, 300])
  expect(pauses(false)).toEqual([30, 60, 120, 15_360, 21_600, false])
})
