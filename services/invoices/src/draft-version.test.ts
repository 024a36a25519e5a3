import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createCredits, start, type Under } from './credit/testdata/credits'
import { call, issuer, update } from './testdata/neighbours'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'draft-version-'))
let under: Under
beforeAll(async () => {
  under = await start([{ store: { kind: 'sqlite', file: path.join(folder, 'invoices.db') } }])
})
afterAll(async () => {
  await under.close()
  fs.rmSync(folder, { recursive: true })
})

const { handlers, create, get } = createCredits(() => under)
const cancel = (invoiceId: string, ifUpdatedAt?: string) =>
  handlers().cancelInvoice({ invoiceId, ifUpdatedAt }, call())

it('cancels only the version that was read', async () => {
  const draft = await create({}, true)
  const { updatedAt } = await handlers().updateInvoice(update(draft.id), call())
  await expect(cancel(draft.id, draft.updatedAt)).rejects.toMatchObject({
    code: 'INVOICE_CHANGED',
    message: expect.stringContaining(`changed by the API key 1 at ${updatedAt}, after you read it`),
  })
  expect((await get(draft.id)).status).toBe('PENDING')
  expect((await cancel(draft.id, updatedAt)).status).toBe('CANCELLED')
  await expect(cancel(draft.id, updatedAt)).rejects.toMatchObject({ code: 'INVOICE_NOT_EDITABLE' })
})

it('cancels any version if the request names none', async () => {
  expect((await cancel((await create({}, true)).id)).status).toBe('CANCELLED')
})

it.each([
  ['another form of the time', (updatedAt: string) => updatedAt.replace(/\.\d+Z$/, 'Z')],
  ['an offset', (updatedAt: string) => updatedAt.replace('Z', '+00:00')],
  ['a later time', () => '2999-01-01T00:00:00.000Z'],
  ['no time', () => '1'],
])('%s was never the version: no change is claimed', async (_, toTag) => {
  const { id: invoiceId, updatedAt } = await create({}, true)
  const ifUpdatedAt = toTag(updatedAt)
  for (const attempt of [
    () => cancel(invoiceId, ifUpdatedAt),
    () => handlers().signInvoice({ invoiceId, issuer, ifUpdatedAt }, call()),
    () => handlers().updateInvoice({ ...update(invoiceId), ifUpdatedAt }, call()),
  ]) {
    await expect(attempt()).rejects.toMatchObject({
      code: 'INVOICE_CHANGED',
      message: `If-Match "${ifUpdatedAt}" is not the updatedAt of this draft, which is "${updatedAt}". Read it again, then send your request again.`,
    })
  }
})
