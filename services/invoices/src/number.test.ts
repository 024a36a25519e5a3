import { randomUUID } from 'node:crypto'
import type { Call } from '@einvoicing/rpc/call'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { createInvoice } from './create-invoice'
import type { Deps } from './deps'
import { signDraft } from './sign-draft'
import type { InvoiceStore } from './store/store'
import { anInvoice, write } from './store/testdata/invoices'
import { useSqliteStore } from './store/testdata/sqlite'
import { update } from './testdata/neighbours'
import { updateInvoice } from './update-invoice'

const [stored, normal] = ['Re\u0301f-1', 'Réf-1']
const issuer = { mentions: { name: 'Atlas', ice: '001234567000089' } as LegalMentions, missing: [] }
const call: Call = {
  caller: { service: 'gateway', organizationId: 'org-1', actor: 'api-key:1' },
  requestId: 'r',
  deadline: Date.now() + 60_000,
}
const taken = { code: 'INVOICE_NUMBER_EXISTS' }

let store: InvoiceStore
let deps: Deps

useSqliteStore((opened) => {
  store = opened
  // Nothing here comes as far as the other services.
  deps = { store, now: () => new Date(), newInvoiceId: randomUUID } as unknown as Deps
})

async function draftNumbered(invoiceNumber: string) {
  const draft = anInvoice({ invoiceNumber, status: 'PENDING' })
  await store.create(write(draft))
  return draft
}

const renumber = (invoiceId: string, invoiceNumber: string) =>
  updateInvoice(deps, update(invoiceId, { invoiceNumber }), call)

describe('a number stored before numbers were normalized', () => {
  it('stays used in every Unicode form', async () => {
    await draftNumbered(stored)
    const other = await draftNumbered('F-2')
    const { lines } = other
    const content = { ...other, invoiceNumber: normal, lines }
    const creation = createInvoice(deps, { issuer, content, draft: true }, call)
    await expect(creation).rejects.toMatchObject(taken)
    await expect(renumber(other.id, normal)).rejects.toMatchObject(taken)
  })

  it('is signed only in the normal form, which it can be given', async () => {
    const { id } = await draftNumbered(stored)
    const signing = signDraft(deps, { invoiceId: id, issuer }, call)
    await expect(signing).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'invoiceNumber', message: 'must be in NFC' }],
    })
    expect(await renumber(id, normal)).toMatchObject({ invoiceNumber: normal })
  })
})

it.each(['F-1\u00a0', ' F-1', 'F\u200b1'])('the draft %j is not signed', async (invoiceNumber) => {
  const { id } = await draftNumbered(invoiceNumber)
  const signing = signDraft(deps, { invoiceId: id, issuer }, call)
  await expect(signing).rejects.toMatchObject({ fieldErrors: [{ field: 'invoiceNumber' }] })
})
