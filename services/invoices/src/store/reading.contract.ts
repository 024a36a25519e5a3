/** What every InvoiceStore answers to the people of an organization; a part of its contract. */

import { auditPagesContract } from '@einvoicing/stores/testdata/audit-pages.contract'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceStore } from './store'
import { anInvoice, audit, later, listRequest, write } from './testdata/invoices'

export function readingContract(storeNow: () => InvoiceStore): void {
  let store: InvoiceStore
  beforeEach(() => (store = storeNow()))

  it('finds an invoice by its id alone', async () => {
    const invoice = anInvoice({})
    await store.create(write(invoice))
    expect((await store.find(invoice.id))?.organizationId).toBe(invoice.organizationId)
    expect(await store.find(`${invoice.id}0`)).toBeUndefined()
  })

  it('gets an invoice without its lines, of one organization', async () => {
    const invoice = anInvoice()
    await store.create(write(invoice))
    expect(await store.getWithoutLines('org-1', invoice.id)).toEqual({ ...invoice, lines: [] })
    expect(await store.getWithoutLines('org-2', invoice.id)).toBeUndefined()
    expect(await store.getWithoutLines('org-1', 'unknown')).toBeUndefined()
  })

  it('reads numbers and statuses, of one organization', async () => {
    const draft = anInvoice({ invoiceNumber: 'F-draft', status: 'PENDING' })
    const signed = anInvoice({ invoiceNumber: 'F-signed' })
    const others = anInvoice({ organizationId: 'org-2' })
    for (const each of [draft, signed, others]) await store.create(write(each))
    const ids = [signed.id, others.id, 'unknown', draft.id, signed.id]
    const summaries = await store.readSummaries('org-1', ids)
    expect(Object.fromEntries(summaries)).toEqual({
      [draft.id]: { invoiceNumber: 'F-draft', status: 'PENDING' },
      [signed.id]: { invoiceNumber: 'F-signed', status: 'SIGNED' },
    })
  })

  describe('search', () => {
    const found = async (search: string, organizationId = 'org-1') => {
      const { invoices, total } = await store.list(organizationId, listRequest({ search }))
      expect(total).toBe(invoices.length)
      return invoices.map(({ invoiceNumber }) => invoiceNumber).sort()
    }
    const named = (invoiceNumber: string, fields: Partial<Invoice> = {}) =>
      store.create(write(anInvoice({ invoiceNumber, ...fields })))

    const expected: [search: string, found: string[]][] = [
      ['number', ['Facture-2026/0007', 'the NUMBER 12']],
      ['NuMbEr', ['Facture-2026/0007', 'the NUMBER 12']],
      ['26/00', ['Facture-2026/0007']],
      ['étoile', ['a', 'b']],
      ['ÉTOILE d', ['a']],
      ['شركة', ['c']],
      ['НАДЕЖДА', ['d']],
      ['00152', ['a']],
      ['152571', []],
      ['%', ['e%_']],
      ['_', ['e%_', 'f']],
      ['*', ['g*?[x]']],
      ['?', ['g*?[x]']],
      ['[x]', ['g*?[x]']],
      ['[a-z]', []],
      ['.', ['h.^$|\\']],
      ['^', ['h.^$|\\']],
      ['$|', ['h.^$|\\']],
      ['\\', ['h.^$|\\']],
      ['a.', []],
      ['😀', ['f']],
      ["'", ['b']],
      ['1200.60', ['i']],
      ['1 200,60', ['i']],
      ['1\u202f200,6', ['i']],
      ['1200', ['h.^$|\\', 'i']],
      ['1200,', ['h.^$|\\', 'i']],
      ['1200.61', []],
      ['1200.600', ['i']],
      ['200.60', []],
      ['01200.60', []],
      ['1 20', []],
      ['0.5', ['j']],
      ['0.512', ['j']],
      ['0.0', []],
      ['386', ['k']],
      ['386,00', ['k']],
      ['dgi-2026-7f', ['i']],
      ['DGI-2026-7F3A', ['i']],
      ['2026-7F3A', []],
      ['x'.repeat(100), []],
    ]

    // In one test: opening a store takes longer than all of them.
    it('finds a part of a number, a buyer, an amount or a reference', async () => {
      await named('a', { buyerName: 'Étoile du Nord', buyerIce: '001525714000070' })
      await named('b', { buyerName: "L'étoile", buyerIce: '900152571300007' })
      await named('c', { buyerName: 'شركة الأمل' })
      await named('d', { buyerName: 'Надежда' })
      await named('e%_')
      await named('f', { buyerName: '😀_' })
      await named('g*?[x]')
      await named('h.^$|\\', { amountTtc: 120_000 })
      await named('i', { amountTtc: 120_060, dgiReference: 'DGI-2026-7F3A9C21' })
      await named('j', { amountTtc: 512, currency: 'TND' })
      await named('k', { amountTtc: 386, currency: 'JPY' })
      await named('the NUMBER 12')
      await named('Facture-2026/0007', { buyerName: 'Number & Co' })
      const results: typeof expected = []
      for (const [search] of expected) {
        results.push([search, await found(search)])
        expect(await found(search, 'org-2')).toEqual([])
      }
      expect(results).toEqual(expected)
    })

    it('combines with other filters, and pages', async () => {
      for (const status of ['SIGNED', 'ACCEPTED', 'ACCEPTED'] as const) {
        await store.create(write(anInvoice({ status, buyerName: 'Atlas' })))
      }
      await store.create(write(anInvoice({ status: 'ACCEPTED', buyerName: 'Rif' })))
      const request = listRequest({ status: 'ACCEPTED', search: 'atl', page: { page: 1, size: 1 } })
      const { invoices, total } = await store.list('org-1', request)
      expect([invoices.length, total]).toEqual([1, 2])
    })
  })

  describe('changes', () => {
    it('are ordered by time and id, each invoice once in its current state, from any position', async () => {
      const at = '2026-02-01T00:00:00.000Z'
      const ids = ['b', 'a', 'c'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`)
      const same = ids.map((id) => anInvoice({ id, createdAt: at, updatedAt: at }))
      for (const invoice of same) await store.create(write(invoice))
      const early = anInvoice({ updatedAt: '2026-01-31T23:59:59.999Z' })
      await store.create(write(early))
      await store.create(write(anInvoice({ organizationId: 'org-2', updatedAt: at })))
      const [first] = same as [Invoice]
      const moved = { ...first, status: 'ACCEPTED' as const, updatedAt: '2026-02-01T00:00:00.001Z' }
      await store.change(first, write(moved))

      const listed = async (since: string, behind = '', count = 10) =>
        (await store.listChanges('org-1', { since, behind, count })).map(
          ({ invoiceId }) => invoiceId,
        )
      const [b, a, c] = ids as [string, string, string]
      expect(await listed(early.updatedAt)).toEqual([early.id, a, c, b])
      expect(await listed(at)).toEqual([a, c, b])
      expect(await listed(at, a)).toEqual([c, b])
      expect(await listed(at, c)).toEqual([b])
      expect(await listed(at, '', 2)).toEqual([a, c])
      expect(await listed(moved.updatedAt, b)).toEqual([])
      const upTo = async (until: string) =>
        (await store.listChanges('org-1', { since: at, behind: a, count: 10, until })).map(
          ({ invoiceId }) => invoiceId,
        )
      expect(await upTo(moved.updatedAt)).toEqual([c, b])
      expect(await upTo('2026-02-01T00:00:00.000Z')).toEqual([c])
      expect(await upTo(early.updatedAt)).toEqual([])
      expect(await store.listChanges('org-1', { since: at, behind: c, count: 1 })).toEqual([
        {
          invoiceId: b,
          invoiceNumber: first.invoiceNumber,
          status: 'ACCEPTED',
          updatedAt: moved.updatedAt,
        },
      ])
    })
  })

  describe('the overview', () => {
    const since = '2026-03-01T00:00:00.000Z'
    const at = (second: number, ms = 0) =>
      new Date(Date.parse(since) + second * 1_000 + ms).toISOString()
    const create = (fields: Partial<Invoice>) => store.create(write(anInvoice(fields)))

    it('are empty for no text', async () => {
      const { statuses, ...others } = await store.readOrganizationOverview('org-1', since)
      expect(Object.keys(statuses)).toHaveLength(7)
      expect(Object.values(statuses)).toEqual(Array(7).fill(0))
      expect(others).toEqual({ hours: [], durations: [], rejections: [] })
    })

    it('count and sum by hour and currency, without drafts and cancelled ones', async () => {
      const before = '2026-02-28T23:59:59.999Z'
      await create({ createdAt: before, amountTtc: 1 })
      await create({ createdAt: since, amountTtc: 10_005 })
      await create({ createdAt: at(3_599, 999), amountTtc: 1 })
      await create({ createdAt: at(3_600), amountTtc: 7, status: 'PENDING' })
      await create({ createdAt: at(3_600), amountTtc: 7, status: 'CANCELLED' })
      await create({ createdAt: at(10), amountTtc: 386, currency: 'JPY', status: 'REJECTED' })
      await create({ createdAt: at(10), amountTtc: 5_381, currency: 'TND', status: 'FAILED' })
      const most = 999_999_999_999_999
      await create({ createdAt: at(7_200), amountTtc: most, status: 'ACCEPTED' })
      await create({ createdAt: at(7_200), amountTtc: most, status: 'ACCEPTED' })
      await create({ createdAt: at(10), amountTtc: 6, type: 'CREDIT_NOTE' })
      await create({ createdAt: at(3_700), amountTtc: 9, type: 'CREDIT_NOTE', status: 'PENDING' })
      await create({ createdAt: at(20), amountTtc: 50, type: 'PREPAYMENT_INVOICE' })
      await create({ createdAt: at(10), organizationId: 'org-2' })
      const { hours, statuses } = await store.readOrganizationOverview('org-1', since)
      const reported = hours.map(({ hour, currency, invoices, creditNotes, amountTtc }) => {
        return [hour, currency, invoices, creditNotes, amountTtc].join(' ')
      })
      expect(reported.sort()).toEqual([
        '2026-03-01T00 JPY 1 0 386',
        '2026-03-01T00 MAD 3 1 10050',
        '2026-03-01T00 TND 1 0 5381',
        '2026-03-01T01 MAD 2 1 0',
        `2026-03-01T02 MAD 2 0 ${2 * most}`,
      ])
      expect(statuses).toEqual({
        PENDING: 2,
        SIGNED: 5,
        TRANSMITTED: 0,
        ACCEPTED: 2,
        REJECTED: 1,
        FAILED: 1,
        CANCELLED: 1,
      })
    })

    it('report how long each decision took to the millisecond, and why invoices were rejected', async () => {
      const signedAt = '2026-02-27T12:00:00.001Z'
      const decide = (status: Invoice['status'], updatedAt: string, more: Partial<Invoice> = {}) =>
        create({ status, signedAt, updatedAt, ...more })
      await decide('ACCEPTED', '2026-02-28T23:59:59.999Z')
      await decide('ACCEPTED', at(0), { signedAt: at(-1, 1) })
      await decide('ACCEPTED', at(5), { signedAt: at(4, 1) })
      await decide('REJECTED', at(5, 1), { signedAt: at(4, 1), dgiErrorCode: 'A' })
      await decide('REJECTED', at(6), { dgiErrorCode: 'B' })
      await decide('REJECTED', at(7), { signedAt: at(8), dgiErrorCode: 'B' })
      await create({ status: 'REJECTED', updatedAt: at(6), signedAt: undefined })
      await create({ status: 'ACCEPTED', updatedAt: at(6), signedAt: undefined })
      await decide('FAILED', at(6), { dgiErrorCode: 'C' })
      await decide('TRANSMITTED', at(6))
      await decide('ACCEPTED', at(6), { organizationId: 'org-2' })
      const { durations, rejections } = await store.readOrganizationOverview('org-1', since)
      expect(durations.toSorted((one, other) => one.ms - other.ms)).toEqual([
        { ms: 0, count: 1 },
        { ms: 999, count: 2 },
        { ms: 1_000, count: 1 },
        { ms: Date.parse(at(6)) - Date.parse(signedAt), count: 1 },
      ])
      const byCode = rejections.toSorted((one, other) => (one.errorCode < other.errorCode ? -1 : 1))
      expect(byCode).toEqual([
        { errorCode: '', count: 1 },
        { errorCode: 'A', count: 1 },
        { errorCode: 'B', count: 2 },
      ])
    })
  })

  it('lists the audit by action, actor, invoice and moments, with true totals', async () => {
    const made = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) =>
      anInvoice({ createdAt: `${day}T00:00:00.000Z`, updatedAt: `${day}T00:00:00.000Z` }),
    )
    const actions = ['invoice.created', 'invoice.rejected', 'invoice.created']
    for (const [index, invoice] of made.entries()) {
      const entry = { ...audit(invoice, actions[index]), actor: `user:${index}` }
      await store.create({ ...write(invoice), audit: entry })
    }
    const listed = async (filters: object) => {
      const page = await store.listAudit('org-1', { page: 0, size: 10, ...filters })
      expect(page.total).toBe(page.entries.length)
      return page.entries.map(({ actor }) => Number(actor.slice(5)))
    }
    expect(await listed({ action: 'invoice.created' })).toEqual([2, 0])
    expect(await listed({ action: 'invoice.' })).toEqual([2, 1, 0])
    expect(await listed({ action: 'invoice' })).toEqual([])
    expect(await listed({ action: 'api-key.' })).toEqual([])
    expect(await listed({ actor: 'user:1' })).toEqual([1])
    expect((await listed({ actor: 'user:' })).length).toBeGreaterThan(1)
    expect(await listed({ actor: 'service:' })).toEqual([])
    expect(await listed({ invoiceId: made[2]?.id })).toEqual([2])
    expect(await listed({ atFrom: made[1]?.updatedAt })).toEqual([2, 1])
    expect(await listed({ atBefore: made[1]?.updatedAt })).toEqual([0])
    expect(await listed({ action: 'invoice.created', atFrom: made[1]?.updatedAt })).toEqual([2])
    const uncounted = { page: 1, size: 1, uncounted: true, action: 'invoice.created' }
    const { entries, total } = await store.listAudit('org-1', uncounted)
    expect([entries.map(({ actor }) => actor), total]).toEqual([['user:0'], 0])
    expect(await store.listAudit('org-2', { page: 0, size: 9, action: 'invoice.' })).toEqual({
      entries: [],
      total: 0,
    })
  })

  auditPagesContract(async (entries) => {
    for (const { at, detail } of entries) {
      const invoice = anInvoice({ createdAt: at, updatedAt: at })
      await store.create({ ...write(invoice), audit: { ...audit(invoice), detail } })
    }
    return (request) => store.listAudit('org-1', request)
  })

  describe('the audit of one invoice', () => {
    it('has only its own entries, oldest first, limited to the newest', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      await store.create(write(anInvoice()))
      const edited = later(draft, {})
      await store.change(draft, { invoice: edited, audit: audit(edited, 'invoice.updated') })
      const cancelled = later(edited, { status: 'CANCELLED' })
      await store.change(edited, {
        invoice: cancelled,
        audit: audit(cancelled, 'invoice.cancelled'),
      })

      const actions = async (count: number, organizationId = 'org-1') =>
        (await store.listAuditOfInvoice(organizationId, draft.id, count)).map(
          ({ action }) => action,
        )
      expect(await actions(3)).toEqual(['invoice.created', 'invoice.updated', 'invoice.cancelled'])
      expect(await actions(2)).toEqual(['invoice.updated', 'invoice.cancelled'])
      expect(await actions(3, 'org-2')).toEqual([])
      expect(await store.listAuditOfInvoice('org-1', anInvoice().id, 3)).toEqual([])
    })
  })
}
