import { createHash } from 'node:crypto'
import type { InvoiceStore } from '../store/store'
import { anInvoice, dueWork, signedWrite } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'
import { recoverInvoices } from './recover-invoices'

const toSha256 = (text: string) => createHash('sha256').update(text).digest('hex')

let store: InvoiceStore
useSqliteStore((opened) => (store = opened))

test('an invoice that was signed a second time after a restore is reported, until it is archived', async () => {
  const [same, other] = ['same', 'other'].map((text) => anInvoice({ xmlSha256: toSha256(text) }))
  for (const invoice of [same!, other!]) await store.create(signedWrite(invoice))
  const kept = [same!, other!].map(({ organizationId, id: invoiceId }) => {
    return { organizationId, invoiceId }
  })
  const artefacts = {
    listKeptXml: async () => ({ kept, position: undefined }),
    readKeptXml: async ({ invoiceId }: { invoiceId: string }) => {
      const content = Buffer.from(invoiceId === same!.id ? 'same' : 'first')
      return { content, sha256: toSha256(String(content)), mediaType: 'application/xml' }
    },
  }
  const trusted = { list: async () => [] }
  const recover = async (take: boolean) => {
    const found = []
    const pages = recoverInvoices({ store, artefacts, trusted, now: () => new Date() }, { take })
    for await (const page of pages) found.push(...page.found)
    return found
  }
  const { invoiceNumber, invoiceDate } = other!
  const reason = 'the store has another signed original of it'
  const refused = { ...kept[1], invoiceNumber, invoiceDate, outcome: 'refused', reason }
  expect(await recover(false)).toEqual([refused])
  expect(await recover(true)).toEqual([refused])

  for (const work of await dueWork(store)) await store.finishWork(work)
  expect(await recover(false)).toEqual([])
})
