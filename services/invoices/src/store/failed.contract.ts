/** What every InvoiceStore must do for invoices whose clearance was given up. */

import type { InvoiceStore } from './store'
import { anInvoice, later, moment, write } from './testdata/invoices'

export function failedContract(store: () => InvoiceStore): void {
  const failedAt = async (count: number) => {
    const failed = []
    for (let n = 0; n < count; n += 1) {
      const invoice = anInvoice({ organizationId: `org-${n % 2}` })
      await store().create(write(invoice))
      const changed = later(invoice, { status: 'FAILED' })
      await store().change(invoice, write(changed))
      failed.push(changed)
    }
    return failed
  }

  describe('invoices that failed', () => {
    it('are listed by time of failure, of all organizations, in pages', async () => {
      const after = moment()
      const failed = await failedAt(5)
      for (const status of ['SIGNED', 'TRANSMITTED', 'ACCEPTED', 'REJECTED'] as const) {
        await store().create(write(anInvoice({ status })))
      }
      const span = { after, until: moment() }
      const first = await store().listFailed(span, undefined, 2)
      const second = await store().listFailed(span, first[1], 2)
      const third = await store().listFailed(span, second[1], 2)
      const listed = [...first, ...second, ...third]
      expect(listed.map(({ id }) => id)).toEqual(failed.map(({ id }) => id))
      expect(listed[0]).toMatchObject({ organizationId: 'org-0', status: 'FAILED', lines: [] })
    })

    it('are in the span later than its beginning, and at its end', async () => {
      const [first, second, third] = await failedAt(3)
      const span = { after: first!.updatedAt, until: second!.updatedAt }
      const listed = await store().listFailed(span, undefined, 9)
      expect(listed.map(({ id }) => id)).toEqual([second!.id])
      expect(third).toBeDefined()
    })

    it('are no longer listed once sent again or decided', async () => {
      const after = moment()
      const [again, decided] = await failedAt(2)
      await store().change(again!, write(later(again!, { status: 'SIGNED' })))
      await store().change(decided!, write(later(decided!, { status: 'ACCEPTED' })))
      expect(await store().listFailed({ after, until: moment() }, undefined, 9)).toEqual([])
    })

    it('are counted apart from credit notes that no user can send again', async () => {
      const dgiErrorCode = 'PRECEDING_INVOICE_REJECTED'
      await failedAt(3)
      const fields = { dgiErrorCode, type: 'CREDIT_NOTE' } as const
      const notes = [anInvoice(fields), anInvoice({ ...fields, organizationId: 'org-2' })]
      for (const note of notes) {
        await store().create(write(note))
        await store().change(note, write(later(note, { status: 'FAILED' })))
      }
      await store().create(write(anInvoice({ status: 'FAILED', dgiErrorCode: 'AUTHORITY_BUSY' })))
      const counts = await store().countByStatus()
      expect(counts).toMatchObject({ FAILED: 4, PRECEDING_INVOICE_REJECTED: 2, ACCEPTED: 0 })
    })

    it('queries are recorded up to a time that one of many processes advances', async () => {
      expect(await store().failedQueriedUntil()).toBeUndefined()
      const advance = (seen: string | undefined, until: string) =>
        Promise.all(Array.from({ length: 5 }, () => store().advanceFailedQueried(seen, until)))
      const [first, second] = [moment(), moment()]
      expect((await advance(undefined, first)).filter(Boolean)).toHaveLength(1)
      expect(await store().failedQueriedUntil()).toBe(first)
      expect((await advance(first, second)).filter(Boolean)).toHaveLength(1)
      expect(await store().advanceFailedQueried(first, moment())).toBe(false)
      expect(await store().failedQueriedUntil()).toBe(second)
    })
  })
}
