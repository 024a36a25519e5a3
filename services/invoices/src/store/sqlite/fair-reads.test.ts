import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import threads from 'node:worker_threads'
import { openSqliteStore } from './sqlite-store'
import { listByNumber } from '../../number'
import type { InvoiceStore } from '../store'
import { anInvoice, listRequest, write } from '../testdata/invoices'

describe('reads of a SQLite store', () => {
  let folder: string
  let store: InvoiceStore
  const started: threads.Worker[] = []
  const greedy = 'org-1'
  const other = anInvoice({ organizationId: 'org-2' })

  beforeAll(async () => {
    const { Worker } = threads
    jest.spyOn(threads, 'Worker').mockImplementation((...args) => {
      const worker = new Worker(...args)
      started.push(worker)
      return worker
    })
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'))
    store = await openSqliteStore(path.join(folder, 'invoices.db'), (error) => {
      throw error
    })
    await store.create(write(anInvoice({ organizationId: greedy })))
    await store.create(write(other))
  })
  beforeEach(() => store.list(greedy, listRequest({ search: 'F-' })))
  afterEach(() => jest.restoreAllMocks())
  afterAll(async () => {
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })

  const many = <T>(read: () => Promise<T>) => Array.from({ length: 203 }, read)
  const page = { page: 0, size: 20 }

  it.each<[string, (organizationId: string) => Promise<unknown>]>([
    ['lists', (each) => store.list(each, listRequest())],
    ['searches', (each) => store.list(each, listRequest({ search: 'ab' }))],
    ['filtered logs', (each) => store.listAudit(each, { ...page, action: 'invoice.' })],
    ['overviews', (each) => store.readOrganizationOverview(each, '2026')],
  ])(
    '%s: organizations take turns, and one that reads too much is rejected alone',
    async (_, read) => {
      const order: string[] = []
      const asked = many(() => read(greedy).finally(() => order.push('greedy')))
      const isRead = expect(read('org-2').finally(() => order.push('other'))).resolves.toBeDefined()
      const results = await Promise.allSettled(asked)
      await isRead
      const rejected = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      // Two are read, 200 wait, the last of them made space for the other.
      expect(rejected).toEqual(
        [1, 2].map(() => expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })),
      )
      expect(order.indexOf('other')).toBeLessThan(6)
    },
  )

  it('do not delay the number of a credit note, nor the metrics', async () => {
    const order: string[] = []
    const asked = many(() => store.list(greedy, listRequest()).finally(() => order.push('greedy')))
    const soon = [listByNumber({ store }, 'org-2', other), store.backlogs(), store.countByStatus()]
    await Promise.all(soon.map((each) => each.then(() => order.push('soon'))))
    await Promise.allSettled(asked)
    expect(order.lastIndexOf('soon')).toBeLessThan(12)
  })

  function giveUpOnceBegun(): jest.SpyInstance {
    const patience = new AbortController()
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    const [, lists] = started
    const postMessage = lists!.postMessage.bind(lists)
    return jest.spyOn(lists!, 'postMessage').mockImplementation((message) => {
      postMessage(message)
      patience.abort()
    })
  }

  it('are not begun once their caller has given up', async () => {
    const asked = giveUpOnceBegun()
    const read = () => store.list(greedy, listRequest())
    const [first, second] = [read(), read()]
    await expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await first).invoices).toHaveLength(1)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('are not begun after a fold that took too long', async () => {
    await store.create(write(anInvoice({ organizationId: greedy })))
    const asked = giveUpOnceBegun()
    const read = store.list(greedy, listRequest({ sortBy: 'amountTtc' }))
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['a search', { search: 'ab' }],
    ['a buyer', { buyerIce: '001234567890123' }],
    ['a type in a status', { type: 'INVOICE', status: 'SIGNED' }],
    ['a type and dates', { type: 'INVOICE', invoiceDateTo: '2026-01-01' }],
    ['a type far from the start', { type: 'INVOICE', page: { page: 11, size: 100 } }],
    ['a rare type', { type: 'CREDIT_NOTE' }],
  ] as const)('that may read all rows are apart: %s', async (_, filters) => {
    const [, lists, reports] = started
    const askedLists = jest.spyOn(lists!, 'postMessage')
    const askedReports = jest.spyOn(reports!, 'postMessage')
    await store.list(greedy, listRequest(filters))
    expect([askedLists, askedReports].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  })

  it.each([
    ['a type', { type: 'INVOICE' }],
    ['a number', { invoiceNumber: 'F-1', type: 'INVOICE', status: 'SIGNED' }],
    ['what refers to a number', { precedingInvoiceNumber: 'F-1', type: 'CREDIT_NOTE' }],
    ['a page far from the start', { page: { page: 11, size: 100 } }],
  ] as const)('that read few rows do not wait for these: %s', async (_, filters) => {
    const [, , reports] = started
    const asked = jest.spyOn(reports!, 'postMessage')
    await store.list(greedy, listRequest(filters))
    expect(asked).not.toHaveBeenCalled()
  })

  it('say of a filtered log that takes too long what to ask for instead', async () => {
    jest.useFakeTimers()
    const [, , reports] = started
    const postMessage = reports!.postMessage.bind(reports)
    let begin = () => {}
    jest.spyOn(reports!, 'postMessage').mockImplementation((message) => {
      begin = () => postMessage(message)
    })
    const read = store.listAudit(greedy, { ...page, action: 'invoice.' })
    const isLate = expect(read).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(
        /^The audit log needs longer.* between two dates\.$/,
      ) as string,
    })
    await jest.advanceTimersByTimeAsync(8_000)
    await isLate
    jest.useRealTimers()
    begin()
  })
})
