import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { InvoiceContent } from '@einvoicing/proto/invoice'
import { createCredits, line, start } from './credit/testdata/credits'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import { anInvoice, write } from './store/testdata/invoices'
import { call, content, issuer, mentions, update } from './testdata/neighbours'
import { computeTotals } from './totals'

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'negative-net-')), 'invoices.db')
afterAll(() => fs.rmSync(path.dirname(file), { recursive: true }))

const withheld = { lines: [line('1000')], vatWithholdingPercent: 75 }
const negative = { ...withheld, prepaidAmount: '1200' }
const createExpected = (left: string) => {
  const message = `must leave at least the VAT withheld, 150.00, to pay; it leaves ${left}`
  return { code: 'VALIDATION_ERROR', fieldErrors: [{ field: 'prepaidAmount', message }] }
}
const expected = createExpected('0.00')

it('no new document states a negative net', async () => {
  const old = anInvoice({
    ...content(negative),
    ...computeTotals(negative.lines, 'MAD', negative),
    ...{ organizationId: 'org-1', status: 'PENDING', issuer: mentions },
  })
  expect(old.amountAfterWithholding).toBe(-150_00)
  const store = await openSqliteStore(file, (error) => {
    throw error
  })
  await store.create(write(old))
  await store.close()

  const under = await start([{ store: { kind: 'sqlite', file } }])
  const { handlers, create } = createCredits(() => under)
  const edit = (id: string, changes: Partial<InvoiceContent>) =>
    handlers().updateInvoice(update(id, changes), call())
  const sign = (invoiceId: string) => handlers().signInvoice({ invoiceId, issuer }, call())
  try {
    for (const isDraft of [false, true]) {
      await expect(create(negative, isDraft)).rejects.toMatchObject(expected)
    }
    const { status, amountAfterWithholding } = await create({ ...negative, prepaidAmount: '1050' })
    expect([status, amountAfterWithholding]).toEqual(['SIGNED', 0])
    // 149.63 to pay with a duty of 0.37, and one centime less.
    const dutiable = { ...withheld, stampDuty: true, prepaidAmount: '1050.37' }
    expect(await create(dutiable)).toMatchObject({ status: 'SIGNED', stampDutyAmount: 37 })
    await expect(create({ ...dutiable, prepaidAmount: '1050.38' })).rejects.toMatchObject(
      createExpected('149.99'),
    )
    const draft = await create(withheld, true)
    await expect(edit(draft.id, { prepaidAmount: '1050.01' })).rejects.toMatchObject(
      createExpected('149.99'),
    )
    await expect(sign(old.id)).rejects.toMatchObject(expected)
    await expect(edit(old.id, { note: 'n' })).rejects.toMatchObject(expected)
    await edit(old.id, { prepaidAmount: '1050' })
    expect((await sign(old.id)).status).toBe('SIGNED')
  } finally {
    await under.close()
  }
})

it('a signed document that states one can be recovered: its totals are no error', () => {
  const { amountDue, amountAfterWithholding } = computeTotals(negative.lines, 'MAD', negative)
  expect([amountDue, amountAfterWithholding]).toEqual([0, -150_00])
})
