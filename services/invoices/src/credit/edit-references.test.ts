import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import { call, content, issuer, update } from '../testdata/neighbours'
import { createCredits, start, type Under } from './testdata/credits'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'edit-references-'))
let under: Under
beforeAll(async () => {
  under = await start([{ store: { kind: 'sqlite', file: path.join(folder, 'invoices.db') } }])
})
afterAll(async () => {
  await under.close()
  fs.rmSync(folder, { recursive: true })
})

const { handlers, create, get, note, original } = createCredits(() => under)
const edit = ({ id }: Invoice, changes: Parameters<typeof update>[1]) =>
  handlers().updateInvoice(update(id, changes), call())
const sign = ({ id }: Invoice) => handlers().signInvoice({ invoiceId: id, issuer }, call())
const references = (...originals: Invoice[]) => ({
  precedingInvoices: { items: originals.map(({ id }) => ({ id })) },
})

it('is signed with a reference to a document issued elsewhere, and the audit log says so', async () => {
  const draft = await create(note([await original()]), true)
  const items = [{ invoiceNumber: `old-${randomUUID()}`, invoiceDate: '2025-01-31' }]
  await edit(draft, { precedingInvoices: { items } })
  await sign(draft)
  const { entries } = await handlers().listAuditOfInvoice({ invoiceId: draft.id }, call())
  const signed = entries.find(({ action }) => action === 'invoice.signed')
  expect(signed?.detail).toBe(`refers to documents issued elsewhere: ${items[0]?.invoiceNumber}`)
})

describe('the buyer reference of a draft', () => {
  it('of a credit note is cleared by null, and stays so when another field changes and at signing', async () => {
    const draft = await create(note([await original({ buyerReference: 'A' })]), true)
    expect(draft.buyerReference).toBe('A')
    expect((await edit(draft, { buyerReference: undefined })).buyerReference).toBeUndefined()
    expect((await edit(draft, { correctionReason: 'Erreur' })).buyerReference).toBeUndefined()
    expect((await sign(draft)).buyerReference).toBeUndefined()
    expect((await get(draft.id)).buyerReference).toBeUndefined()
  })

  it.each([
    ['that of the new original', 'B'],
    ['none, as the new original', undefined],
  ])('becomes %s', async (_, buyerReference) => {
    const buyerType = 'CONSUMER'
    const former = await original({ buyerReference: 'A', buyerType })
    const draft = await create(note([former]), true)
    expect(draft).toMatchObject({ buyerReference: 'A', buyerType })
    const edited = await edit(draft, references(await original({ buyerReference })))
    expect([edited.buyerReference, edited.buyerType]).toEqual([buyerReference, undefined])
    expect((await sign(draft)).buyerReference).toBe(buyerReference)
  })

  it('stays with a new original if the request has it, cleared it, or stated it before', async () => {
    const [one, other] = [
      await original({ buyerReference: 'A' }),
      await original({ buyerReference: 'B' }),
    ]
    const draft = await create(note([one]), true)
    const sent = await edit(draft, { ...references(other), buyerReference: 'C' })
    expect(sent.buyerReference).toBe('C')
    expect((await edit(draft, references(one))).buyerReference).toBe('C')
    const cleared = await edit(draft, { ...references(other), buyerReference: undefined })
    expect(cleared.buyerReference).toBeUndefined()
  })

  it('of an invoice was not copied, so it stays', async () => {
    const [one, other] = [await original({ buyerReference: 'A' }), await original()]
    const draft = await create({ ...references(one), buyerReference: 'A' }, true)
    expect((await edit(draft, references(other))).buyerReference).toBe('A')
  })

  it('cannot be left without the buyer of the original', async () => {
    const draft = await create(note([await original()]), true)
    expect((await edit(draft, { buyerName: undefined })).buyerName).toBe('Rif')
  })
})

describe('a document that names itself', () => {
  const itself = (name: string) => ({
    code: 'VALIDATION_ERROR',
    fieldErrors: [
      {
        field: `precedingInvoices[0].${name}`,
        message: expect.stringMatching(/^is this document/),
      },
    ],
  })
  const byNumber = (invoiceNumber: string, invoiceDate?: string): Partial<InvoiceContent> => ({
    precedingInvoices: { items: [{ invoiceNumber, ...(invoiceDate && { invoiceDate }) }] },
  })

  it.each(['CREDIT_NOTE', 'INVOICE'] as const)('%s: a draft is not changed', async (type) => {
    const invoiceNumber = `É-${randomUUID()}`
    const draft =
      type === 'INVOICE'
        ? await create({ invoiceNumber, type }, true)
        : await create(note([await original()], { invoiceNumber }), true)
    await expect(edit(draft, references(draft))).rejects.toMatchObject(itself('id'))
    for (const form of ['NFC', 'NFD'] as const) {
      const number = invoiceNumber.normalize(form)
      const message = itself('invoiceNumber')
      await expect(edit(draft, byNumber(number))).rejects.toMatchObject(message)
      await expect(edit(draft, byNumber(number, '2026-05-03'))).rejects.toMatchObject(message)
    }
    const renamed = byNumber('É-new', '2026-05-03')
    const change = { ...renamed, invoiceNumber: 'É-new' }
    await expect(edit(draft, change)).rejects.toMatchObject(itself('invoiceNumber'))
    expect(await get(draft.id)).toEqual(draft)
  })

  it.each([true, false])('is not created by its number (draft: %s)', async (isDraft) => {
    const invoiceNumber = `É-${randomUUID()}`
    for (const form of ['NFC', 'NFD'] as const) {
      const named = byNumber(invoiceNumber.normalize(form), '2026-05-03')
      const attempt = create(note([], { ...named, invoiceNumber }), isDraft)
      await expect(attempt).rejects.toMatchObject(itself('invoiceNumber'))
    }
  })

  it('may name one of another system that has its number on another date', async () => {
    const invoiceNumber = `12-${randomUUID()}`
    const named = byNumber(invoiceNumber, '2026-01-01')
    const created = await create(note([], { ...named, invoiceNumber }))
    expect(created.precedingInvoices?.items).toEqual([{ invoiceNumber, invoiceDate: '2026-01-01' }])
  })

  it.each([true, false])(
    'of another system is created once: a repeated request gets INVOICE_NUMBER_EXISTS (draft: %s)',
    async (isDraft) => {
      const invoiceNumber = `É-${randomUUID()}`
      const repeated = (form: string) =>
        note([], { ...byNumber(invoiceNumber.normalize(form), '2026-01-01'), invoiceNumber })
      const { id } = await create(repeated('NFC'), isDraft)
      for (const form of ['NFC', 'NFD']) {
        await expect(create(repeated(form), isDraft)).rejects.toMatchObject({
          code: 'INVOICE_NUMBER_EXISTS',
        })
        const request = { issuer, draft: true, content: undefined }
        const newerContent = content(repeated(form))
        const shown = await handlers().previewInvoice({ ...request, newerContent }, call())
        expect(shown.precedingInvoices?.items).toEqual([
          { invoiceNumber: invoiceNumber.normalize(form), invoiceDate: '2026-01-01' },
        ])
      }
      const renamed = { ...repeated('NFC'), invoiceNumber: `F-${randomUUID()}` }
      await expect(create(renamed, isDraft)).rejects.toMatchObject({
        fieldErrors: [{ field: 'precedingInvoices[0].invoiceDate' }],
      })
      expect((await get(id)).precedingInvoices?.items[0]?.id).toBeUndefined()
    },
  )

  it('the number exists: that is reported first', async () => {
    const { invoiceNumber } = await create()
    const named = byNumber(invoiceNumber, '2026-05-03')
    for (const isDraft of [true, false]) {
      await expect(create(note([], { ...named, invoiceNumber }), isDraft)).rejects.toMatchObject({
        code: 'INVOICE_NUMBER_EXISTS',
      })
    }
  })
})
