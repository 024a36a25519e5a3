import { anInvoice, newNumber, type Invoices } from '../stack/invoices'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'

onOneStack('credit notes', (stack) => {
  let invoices: Invoices
  beforeAll(async () => ({ invoices } = await newOrganization(stack())), 90_000)

  test('correct an invoice once, and are accepted after it', async () => {
    const original = await invoices.created()
    const note = () => ({
      ...anInvoice(),
      invoiceNumber: newNumber('AV'),
      type: 'CREDIT_NOTE',
      precedingInvoices: [{ id: original.id }],
      correctionReason: 'Retour',
    })
    const { status, data } = await invoices.create(note())
    expect([status, data.type, data.status]).toEqual([201, 'CREDIT_NOTE', 'SIGNED'])
    expect(data.precedingInvoices).toMatchObject([{ invoiceNumber: original.invoiceNumber }])
    const again = await invoices.create(note())
    expect([again.status, again.code]).toEqual([409, 'CREDIT_EXCEEDS_INVOICE'])
    expect((await invoices.decided(data.id)).status).toBe('ACCEPTED')
    const { code, errors } = await invoices.create({ ...note(), correctionReason: null })
    expect([code, errors?.map(({ field }) => field)]).toEqual([
      'VALIDATION_ERROR',
      ['correctionReason'],
    ])
  })
})
