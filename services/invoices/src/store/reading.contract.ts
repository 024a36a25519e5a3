/** What every InvoiceStore answers to the people of an organization; a part of its contract. */

import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceStore } from './store'
import { anInvoice, audit, later, listRequest, write } from './testdata/invoices'

export function readingContract(storeNow: () => InvoiceStore): void {
  let store: InvoiceStore
  beforeEach(() => (store = storeNow()))

  describe('search', () => {
    const found = async (search: string, organizationId = 'org-1') => {
      const { invoices, total } = await store.list(organizationId, listRequest({ search }))
      expect(total).toBe(invoices.length)
      return invoices.map(({ invoiceNumber }) => invoiceNumber).sort()
    }
    const named = (invoiceNumber: string, fields: Partial<Invoice> = {}) =>
      store.create(write(anInvoice({ invoiceNumber, ...fields })))

    it.each([
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
      ['x'.repeat(100), []],
    ])('for %s', async (search, expected) => {
      await named('a', { buyerName: 'Étoile du Nord', buyerIce: '001525713000074' })
      await named('b', { buyerName: "L'étoile", buyerIce: '900152571300007' })
      await named('c', { buyerName: 'شركة الأمل' })
      await named('d', { buyerName: 'Надежда' })
      await named('e%_')
      await named('f', { buyerName: '😀_' })
      await named('g*?[x]')
      await named('h.^$|\\')
      await named('the NUMBER 12')
      await named('Facture-2026/0007', { buyerName: 'Number & Co' })
      expect(await found(search)).toEqual(expected)
      expect(await found(search, 'org-2')).toEqual([])
    })

    it('narrows what other filters leave, and pages', async () => {
      for (const status of ['SIGNED', 'ACCEPTED', 'ACCEPTED'] as const) {
        await store.create(write(anInvoice({ status, buyerName: 'Atlas' })))
      }
      await store.create(write(anInvoice({ status: 'ACCEPTED', buyerName: 'Rif' })))
      const request = listRequest({ status: 'ACCEPTED', search: 'atl', page: { page: 1, size: 1 } })
      const { invoices, total } = await store.list('org-1', request)
      expect([invoices.length, total]).toEqual([1, 2])
    })
  })

  describe('the audit of one invoice', () => {
    it('is its own alone, oldest first, the newest of many', async () => {
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
        (await store.listAuditOf(organizationId, draft.id, count)).map(({ action }) => action)
      expect(await actions(3)).toEqual(['invoice.created', 'invoice.updated', 'invoice.cancelled'])
      expect(await actions(2)).toEqual(['invoice.updated', 'invoice.cancelled'])
      expect(await actions(3, 'org-2')).toEqual([])
      expect(await store.listAuditOf('org-1', anInvoice().id, 3)).toEqual([])
    })
  })
}
