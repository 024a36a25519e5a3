import { EinvoicingClient } from './client'
import type { Invoice } from './schemas'

const id = '6e7f4d1c-0000-4000-8000-000000000001'
const readAt = '2026-05-03T09:30:00.000Z'
const draft = {
  id,
  invoiceNumber: 'F-1',
  status: 'PENDING',
  buyerName: 'Atlas',
  lines: [{ lineNumber: 1, description: 'Conseil', quantity: 2, unitPrice: 4500, vatRate: 20 }],
  updatedAt: readAt,
} as unknown as Invoice
const signed: Partial<Invoice> = { status: 'SIGNED', updatedAt: '2026-05-03T09:41:07.120Z' }

/** Signs with `ifUpdatedAt` behind a service that loses the first signature's answer. */
function signBetween(before: Partial<Invoice>, after: Partial<Invoice>): Promise<Invoice> {
  let stored = { ...draft, ...before }
  const send: typeof fetch = async (_, init) => {
    if (init?.method !== 'POST') {
      return Response.json({ code: 'OK', message: 'OK', data: stored, errors: null })
    }
    if (stored.status === 'PENDING') {
      stored = { ...stored, ...after }
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
    }
    const envelope = { code: 'INVOICE_NOT_EDITABLE', message: 'SIGNED.', data: null, errors: null }
    return Response.json(envelope, { status: 409 })
  }
  const client = new EinvoicingClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'svc_sk_1',
    fetch: send,
  })
  return client.sign(id, { ifUpdatedAt: readAt })
}

describe('a lost answer', () => {
  it('returns the draft that was read, signed', async () => {
    expect(await signBetween({}, signed)).toMatchObject({ ...signed, buyerName: 'Atlas' })
  })

  it('does not claim that a draft changed since was read', async () => {
    await expect(signBetween({}, { ...signed, buyerName: 'Rif' })).rejects.toMatchObject({
      code: 'INVOICE_CHANGED',
      status: 412,
      message:
        'The invoice was changed after you read it, and signed by another caller. It differs in: buyerName.',
      errors: [{ field: 'buyerName', message: 'differs from the draft that you read' }],
    })
  })

  it('does not hide that the draft had changed before', async () => {
    const earlier = signBetween({ updatedAt: '2026-05-03T09:40:00.000Z' }, signed)
    await expect(earlier).rejects.toMatchObject({ code: 'INVOICE_NOT_EDITABLE', status: 409 })
  })
})
