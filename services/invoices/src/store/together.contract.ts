import type { Invoice } from '@einvoicing/proto/invoice'
import type { Change, InvoiceStore } from './store'
import { anInvoice, audit, later, signedWrite, write } from './testdata/invoices'

export function togetherContract(open: () => InvoiceStore): void {
  let store: InvoiceStore
  beforeEach(() => (store = open()))

  const changed = (seen: Invoice, fields: Partial<Invoice>): Change => {
    const invoice = later(seen, fields)
    return { seen, write: write(invoice, { audit: audit(invoice, 'invoice.credited') }) }
  }
  const read = (invoice: Invoice) => store.get(invoice.organizationId, invoice.id)

  describe('changeTogether', () => {
    it('writes a new invoice and changes of others, with all that belongs to them', async () => {
      const [one, other, added] = [anInvoice(), anInvoice(), anInvoice()]
      for (const each of [one, other]) await store.create(signedWrite(each))
      const changes = [
        { seen: undefined, write: signedWrite(added) },
        changed(one, { credits: { items: [] } }),
        changed(other, { buyerName: 'x' }),
      ]
      expect(await store.changeTogether(changes)).toBe('changed')
      for (const { write: each } of changes) expect(await read(each.invoice)).toEqual(each.invoice)
      expect(String(await store.readXml('org-1', added.id))).toContain(added.id)
      expect(await store.takeNeverSent('org-1', added.id)).toBe(true)
      const [entry] = await store.listAuditOfInvoice('org-1', one.id, 1)
      expect(entry?.action).toBe('invoice.credited')
      const events = await store.listOutbox(undefined, 10)
      expect(events.filter(({ event }) => event.subject === added.id)).toHaveLength(1)
    })

    it('writes every audit entry of an invoice, in order', async () => {
      const [one, other] = [anInvoice(), anInvoice()]
      for (const each of [one, other]) await store.create(signedWrite(each))
      const actions = ['invoice.credited', 'invoice.credit-released', 'invoice.credit-released']
      const changes = [one, other].map((each): Change => {
        const invoice = later(each, {})
        const entries = actions.map((action, n) => ({ ...audit(invoice, action), detail: `${n}` }))
        return { seen: each, write: { invoice, audit: entries[0]!, laterAudit: entries.slice(1) } }
      })
      expect(await store.changeTogether(changes)).toBe('changed')
      for (const { write: each } of changes) {
        const entries = await store.listAuditOfInvoice('org-1', each.invoice.id, 3)
        expect(entries).toMatchObject([each.audit, ...(each.laterAudit ?? [])])
      }
    })

    it.each(['first', 'last'])('writes nothing where the %s was changed', async (which) => {
      const [one, other, added] = [anInvoice(), anInvoice(), anInvoice()]
      for (const each of [one, other]) await store.create(signedWrite(each))
      const moved = which === 'first' ? one : other
      const change = changed(moved, { buyerName: 'meanwhile' })
      await store.change(moved, change.write)
      const changes = [
        changed(one, { buyerName: 'x' }),
        { seen: undefined, write: signedWrite(added) },
        changed(other, { buyerName: 'x' }),
      ]
      expect(await store.changeTogether(changes)).toBe('moved')
      expect(await read(added)).toBeUndefined()
      expect(await read(moved)).toEqual(change.write.invoice)
      const still = moved === one ? other : one
      expect(await read(still)).toEqual(still)
    })

    it('writes nothing where a number is taken, or an invoice is of another organization', async () => {
      const one = anInvoice()
      await store.create(signedWrite(one))
      const added = anInvoice({ invoiceNumber: one.invoiceNumber })
      const change = changed(one, { buyerName: 'x' })
      const together = [change, { seen: undefined, write: signedWrite(added) }]
      expect(await store.changeTogether(together)).toBe('number-taken')
      const foreign = { ...one, organizationId: 'org-2' }
      expect(await store.changeTogether([changed(foreign, { buyerName: 'x' })])).toBe('moved')
      expect(await read(one)).toEqual(one)
    })

    it('leaves the lines of what was read without them', async () => {
      const [one, other] = [anInvoice(), anInvoice()]
      for (const each of [one, other]) await store.create(signedWrite(each))
      const lineless = async ({ id }: Invoice) => {
        const change = changed((await store.getWithoutLines('org-1', id))!, { buyerName: 'x' })
        return { ...change, write: { ...change.write, keepsLines: true as const } }
      }
      const [first, second] = [await lineless(one), await lineless(other)]
      expect(await store.changeTogether([first])).toBe('changed')
      expect(await store.change(second.seen!, second.write)).toBe('changed')
      expect(await read(one)).toEqual({ ...first.write.invoice, lines: one.lines })
      expect(await read(other)).toEqual({ ...second.write.invoice, lines: other.lines })
    })

    it('only one of many concurrent changes succeeds, in any order', async () => {
      const [one, other] = [anInvoice(), anInvoice()]
      for (const each of [one, other]) await store.create(signedWrite(each))
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const changes = [one, other].map((seen) => changed(seen, { buyerName: `${index}` }))
          return store.changeTogether(index % 2 === 0 ? changes : changes.toReversed())
        }),
      )
      expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'moved')).toHaveLength(9)
      expect((await read(one))?.buyerName).toBe((await read(other))?.buyerName)
    })
  })
}
