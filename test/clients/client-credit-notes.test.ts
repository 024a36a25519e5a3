/** Which credit note counts as the one that was sent, by the client and by the command line. */

import {
  EinvoicingClient,
  type CreatedInvoice,
  type CreditNoteOfInvoice,
  type NewInvoice,
} from '@einvoicing/client'
import { aLine, anInvoice, newNumber } from '../stack/invoices'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { thrownBy } from './client-calls'
import { einvoicing } from './command-line'
import { openFaultyFront, type FaultyFront } from './faulty-front'

const everyField = {
  dueDate: '2026-03-02',
  purchaseOrderNumber: 'BC-1',
  buyerReference: 'R-1',
  contractNumber: 'C-1',
  deliveryNoteNumber: 'BL-1',
  note: 'Merci',
  servicePeriod: { from: '2026-01-01', to: '2026-01-31' },
  deliveryDate: '2026-01-30',
  deliveryAddress: '1, rue Allal Ben Abdellah',
  deliveryCountry: 'MA',
  paymentMethod: 'CASH',
  paymentTerms: '30 jours',
  paymentReference: 'P-1',
  paymentAccount: { iban: 'FR7630006000011234567890189' },
  prepaidAmount: 10,
  stampDuty: true,
  vatWithholdingPercent: 75,
  allowances: [{ percent: 2, reason: 'Remise' }],
  charges: [{ amount: 12.34, reason: 'Port' }],
  lines: [
    {
      ...aLine({ unit: 'jour' }),
      itemCode: 'A-1',
      orderLineNumber: '1',
      note: 'Sur place',
      allowances: [{ percent: 10, reason: 'Remise' }],
    },
  ],
}

onOneStack('credit notes by clients', (stack) => {
  let organization: Organization
  let front: FaultyFront
  let client: EinvoicingClient
  beforeAll(async () => {
    organization = await newOrganization(stack())
    front = await openFaultyFront(stack().baseUrl)
    client = new EinvoicingClient({ baseUrl: front.baseUrl, apiKey: organization.key.key })
  })
  afterAll(() => front.close())

  const create = (fields: object = {}) =>
    client.createInvoice({ ...anInvoice(), buyerName: 'Atlas', ...fields } as NewInvoice)
  const makeNote = (fields: Partial<CreditNoteOfInvoice> = {}): CreditNoteOfInvoice => ({
    invoiceNumber: newNumber('AV'),
    invoiceDate: '2026-02-10',
    correctionReason: 'Retour',
    ...fields,
  })
  const half = { lines: [{ lineNumber: 1, quantity: '1' }] }

  test('one whose answer was lost is found, of an invoice with every field', async () => {
    const { id } = await create(everyField)
    front.plan('cut after')
    const note = makeNote()
    const created = await client.creditInvoice(id, note)
    expect(created).toMatchObject({ type: 'CREDIT_NOTE', ...note })
    expect(front.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('a draft whose signature was lost is the one that was read, and so is its credit note', async () => {
    const sign = ({ id, updatedAt }: CreatedInvoice) => {
      front.plan('none', 'cut after')
      return client.sign(id, { ifUpdatedAt: updatedAt })
    }
    const { id } = await sign(await create({ ...everyField, draft: true }))
    const note = await client.creditInvoice(id, makeNote({ draft: true }))
    expect((await sign(note)).id).toBe(note.id)
    expect(front.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('one that is sent with an empty buyer is found, and so is a change to an empty one', async () => {
    const { id } = await create({ buyerReference: 'R-1' })
    const content = { ...makeNote(), lines: [aLine({ quantity: 1 })], draft: true }
    const empty = { buyerName: null, buyerReference: ' ' }
    const references = { type: 'CREDIT_NOTE', precedingInvoices: [{ id }] }
    front.plan('cut after')
    const draft = await client.createInvoice({
      ...anInvoice(),
      ...content,
      ...references,
      ...empty,
    } as NewInvoice)
    const taken = { buyerName: 'Atlas', buyerReference: 'R-1' }
    expect(draft).toMatchObject({ type: 'CREDIT_NOTE', status: 'PENDING', ...taken })
    front.plan('cut after')
    const changes = { ...empty, note: 'Merci' }
    const changed = await client.update(draft.id, changes, { ifUpdatedAt: draft.updatedAt })
    expect(changed).toMatchObject({ buyerName: 'Atlas', buyerReference: null, note: 'Merci' })
  })

  test('some lines are found again, and another quantity is not the same', async () => {
    const { id } = await create()
    const note = makeNote(half)
    const created = await client.creditInvoice(id, note)
    const again = await client.creditInvoice(id, note, { acceptExisting: true })
    expect(again.id).toBe(created.id)
    const less = { ...note, lines: [{ lineNumber: 1, quantity: 0.5 }] }
    const error = await thrownBy(client.creditInvoice(id, less, { acceptExisting: true }))
    expect(error).toMatchObject({
      code: 'INVOICE_NUMBER_EXISTS',
      errors: [{ field: 'lines[0].quantity' }],
    })
  })

  test('a part of the invoice is not the credit note of all of it', async () => {
    const { id } = await create()
    const note = makeNote()
    await client.creditInvoice(id, { ...note, ...half })
    front.plan('cut before')
    const error = await thrownBy(client.creditInvoice(id, note, { acceptExisting: true }))
    expect([error.code, error.errors.map(({ field }) => field)]).toEqual([
      'INVOICE_NUMBER_EXISTS',
      ['lines[0].quantity'],
    ])
  })

  test('a cancelled draft is not the credit note', async () => {
    const { id } = await create()
    const note = makeNote(half)
    const draft = await client.creditInvoice(id, { ...note, draft: true })
    await client.cancel(draft.id)
    const error = await thrownBy(client.creditInvoice(id, note, { acceptExisting: true }))
    expect(error).toMatchObject({ code: 'INVOICE_NUMBER_EXISTS', errors: [{ field: 'status' }] })
  })

  test('the command line accepts one of an earlier day, unless a date is given', async () => {
    const { id } = await create()
    const note = makeNote(half)
    const created = await client.creditInvoice(id, note)
    const env = {
      EINVOICING_URL: stack().baseUrl,
      EINVOICING_API_KEY: organization.key.key,
    }
    const { invoiceNumber, correctionReason } = note
    const args = ['credit-note', id, '--number', invoiceNumber, '--reason', correctionReason]
    const again = [...args, '--line', '1=1', '--accept-existing', '--json']
    const accepted = await einvoicing(again, { env })
    expect([accepted.code, accepted.errors]).toEqual([0, ''])
    expect(JSON.parse(accepted.output)).toMatchObject({ id: created.id, invoiceNumber })
    const dated = await einvoicing([...again, '--date', '2026-02-11'], { env })
    expect(dated.code).toBe(1)
    expect(JSON.parse(dated.errors).error.errors).toMatchObject([{ field: 'invoiceDate' }])
  })
})
