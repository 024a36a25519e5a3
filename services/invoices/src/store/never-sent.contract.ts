/** What every InvoiceStore must do with the mark that no part of an invoice was ever sent. */

import { signedEvent } from '../signed-event'
import type { InvoiceStore } from './store'
import { anInvoice, dueWork, later, signedWrite, write } from './testdata/invoices'

interface UnderTest {
  store: InvoiceStore
  reopen: () => Promise<InvoiceStore>
}

export function neverSentContract(under: () => UnderTest): void {
  const store = () => under().store

  describe('the mark that an invoice was never sent', () => {
    it('is returned with the signed document and taken once, by one of many', async () => {
      const created = anInvoice()
      await store().create(signedWrite(created))
      const draft = anInvoice({ status: 'PENDING' })
      await store().create(write(draft))
      const signed = later(draft, { status: 'SIGNED' })
      await store().change(draft, signedWrite(signed))
      for (const { id } of [created, signed]) {
        const taken = await Promise.all(
          Array.from({ length: 10 }, () => store().takeNeverSent('org-1', id)),
        )
        expect(taken.filter(Boolean)).toHaveLength(1)
      }
      await under().reopen()
      expect(await store().takeNeverSent('org-1', created.id)).toBe(false)
    })

    it('is returned for each of many that are taken at once', async () => {
      const created = Array.from({ length: 40 }, () => anInvoice())
      for (const invoice of created) await store().create(signedWrite(invoice))
      const [known, ...others] = created.map(({ id }) => id)
      expect(await store().takeNeverSent('org-1', known!)).toBe(true)
      const asked = [...others, known!, ...others]
      const taken = await Promise.all(asked.map((id) => store().takeNeverSent('org-1', id)))
      expect(asked.filter((_, place) => taken[place]).sort()).toEqual(others.sort())
    })

    it('survives the archive taking the document, and a change of status', async () => {
      const invoice = anInvoice()
      await store().create(signedWrite(invoice))
      for (const work of await dueWork(store())) {
        await store().finishWork(work)
      }
      await store().change(invoice, write(later(invoice, { status: 'FAILED' })))
      expect(await store().takeNeverSent('org-1', invoice.id)).toBe(true)
    })

    it('does not exist for a draft, an invoice without document, or another organization', async () => {
      const [draft, recovered, ours] = [anInvoice({ status: 'PENDING' }), anInvoice(), anInvoice()]
      await store().create(write(draft))
      await store().create(write(recovered, { event: signedEvent(recovered) }))
      await store().create(signedWrite(ours))
      expect(await store().takeNeverSent('org-1', draft.id)).toBe(false)
      expect(await store().takeNeverSent('org-1', recovered.id)).toBe(false)
      expect(await store().takeNeverSent('org-2', ours.id)).toBe(false)
      expect(await store().takeNeverSent('org-1', ours.id)).toBe(true)
    })

    it('all are taken at once in a restored store', async () => {
      const invoices = [anInvoice(), anInvoice({ organizationId: 'org-2' })]
      for (const invoice of invoices) await store().create(signedWrite(invoice))
      await store().takeEveryNeverSent()
      for (const { organizationId, id } of invoices) {
        expect(await store().takeNeverSent(organizationId, id)).toBe(false)
      }
    })
  })
}
