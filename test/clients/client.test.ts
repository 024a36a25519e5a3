import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { EinvoicingClient, type NewInvoice } from '@einvoicing/client'
import { aLine, newNumber } from '../stack/invoices'
import { onOneStack, onOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { isSignatureValid } from '../stack/xml'
import { makeInvoice, thrownBy } from './client-calls'

const neverDecided = '000000000000202'
const rejected = '000000000000101'

onOneStack('the client', (stack) => {
  let organization: Organization
  let client: EinvoicingClient
  beforeAll(async () => {
    organization = await newOrganization(stack())
    client = new EinvoicingClient({ baseUrl: stack().baseUrl, apiKey: organization.key.key })
  })

  test('creates, waits for the decision, and reads the result', async () => {
    const sent = makeInvoice({ buyerName: 'Société Générale', buyerIce: '001525714000070' })
    const created = await client.createInvoice(sent)
    expect(created).toMatchObject({ status: 'SIGNED', invoiceNumber: sent.invoiceNumber })
    const seen: string[] = []
    const final = await client.waitUntilFinal(created.id, {
      onStatus: ({ status }) => seen.push(status),
    })
    expect(final).toMatchObject({ status: 'ACCEPTED', dgiReference: expect.any(String) })
    expect(seen.at(-1)).toBe('ACCEPTED')
    expect(new Set(seen).size).toBe(seen.length)
    expect(await client.get(created.id)).toMatchObject({ status: 'ACCEPTED', amountTtc: 1081.2 })
    expect((await client.status(created.id)).status).toBe('ACCEPTED')
    expect((await client.find(sent.invoiceNumber))?.id).toBe(created.id)
    expect(await client.find('no such number')).toBeUndefined()
  })

  test('returns a rejection with its reason as a result, not as an error', async () => {
    const { id } = await client.createInvoice(makeInvoice({ buyerIce: rejected }))
    expect(await client.waitUntilFinal(id)).toMatchObject({
      status: 'REJECTED',
      dgiErrorCode: 'BUYER_UNKNOWN',
    })
  })

  test('waits no longer than its deadline, and can be stopped', async () => {
    const { id } = await client.createInvoice(makeInvoice({ buyerIce: neverDecided }))
    const error = await thrownBy(client.waitUntilFinal(id, { deadlineMs: 1_500 }))
    expect(error.code).toBe('NOT_FINAL')
    expect(error.message).toMatch(/^The invoice is still (SIGNED|TRANSMITTED): no decision within/)
    const reason = new Error('enough')
    const stop = new AbortController()
    setTimeout(() => stop.abort(reason), 300)
    await expect(client.waitUntilFinal(id, { signal: stop.signal })).rejects.toBe(reason)
    await expect(client.get(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('takes a draft through change, signature and cancellation', async () => {
    const draft = () => client.createInvoice(makeInvoice({ draft: true, buyerName: 'Atlas' }))
    const [one, other] = [await draft(), await draft()]
    expect((await thrownBy(client.waitUntilFinal(one.id))).message).toBe(
      'The invoice is a draft (PENDING). Sign it first to start clearance.',
    )
    const changed = await client.update(one.id, { buyerName: null, dueDate: '2026-03-01' })
    expect(changed).toMatchObject({ status: 'PENDING', buyerName: null, dueDate: '2026-03-01' })
    const stale = { ifUpdatedAt: one.updatedAt }
    const late = await thrownBy(client.update(one.id, { buyerName: 'Rif' }, stale))
    expect(late).toMatchObject({ code: 'INVOICE_CHANGED', status: 412 })
    const fresh = { ifUpdatedAt: changed.updatedAt }
    expect((await client.update(one.id, { buyerName: 'Rif' }, fresh)).buyerName).toBe('Rif')
    const notRead = await thrownBy(client.sign(one.id, stale))
    expect(notRead).toMatchObject({ code: 'INVOICE_CHANGED', status: 412 })
    expect((await client.sign(one.id)).status).toBe('SIGNED')
    const otherRead = { ifUpdatedAt: '2026-01-01T00:00:00.000Z' }
    expect((await thrownBy(client.cancel(other.id, otherRead))).code).toBe('INVOICE_CHANGED')
    const asRead = { ifUpdatedAt: other.updatedAt }
    expect((await client.cancel(other.id, asRead)).status).toBe('CANCELLED')
    expect((await thrownBy(client.waitUntilFinal(other.id))).code).toBe('NOT_SUBMITTED')
    expect(await thrownBy(client.sign(one.id))).toMatchObject({
      code: 'INVOICE_NOT_EDITABLE',
      status: 409,
    })
    expect((await thrownBy(client.resubmit(one.id))).code).toBe('INVOICE_NOT_RESUBMITTABLE')
  })

  test('throws every field error, and the id of the request for support', async () => {
    const error = await thrownBy(
      client.createInvoice(makeInvoice({ buyerIce: '12', lines: [aLine({ vatRate: 19 })] })),
    )
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    expect(error.errors.map(({ field }) => field).sort()).toEqual(['buyerIce', 'lines[0].vatRate'])
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(error.isTemporary).toBe(false)
    expect((await thrownBy(client.get('no-such-id'))).code).toBe('INVOICE_NOT_FOUND')
    expect((await thrownBy(client.get('../../v1/invoices?size=1'))).code).toBe('INVOICE_NOT_FOUND')
    await expect(client.get('..')).rejects.toThrow('id must be that of an invoice')
  })

  test('sends every digit of what is given as text', async () => {
    const lines = [
      { ...aLine(), quantity: '0.5000000001', unitPrice: '123456789012.3456789012' },
      { ...aLine({ lineNumber: 2 }), quantity: '1', unitPrice: '120.50' },
    ]
    const created = await client.createInvoice({ ...makeInvoice(), lines } as NewInvoice)
    // 0.5000000001 × 123456789012.3456789012 = 61728394518.518518402…: in binary it is not.
    expect(created.lines.map(({ amountHt }) => amountHt)).toEqual([61728394518.52, 120.5])
    const xml = Buffer.from((await client.download(created.id, 'xml')).bytes).toString()
    expect(xml).toContain('>123456789012.3456789012<')
    const error = await thrownBy(
      client.update(created.id, { lines: [{ ...lines[0]!, unitPrice: '1 200,50' }] } as never),
    )
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: undefined,
      errors: [
        { field: 'lines[0].unitPrice', message: 'must be a plain decimal number such as 120.50' },
      ],
    })
  })

  test('lists page by page, each once, by every filter', async () => {
    const { key } = await newOrganization(stack())
    const other = new EinvoicingClient({ baseUrl: stack().baseUrl, apiKey: key.key })
    const numbers = Array.from({ length: 7 }, () => newNumber('L')).sort()
    for (const invoiceNumber of numbers) await other.createInvoice(makeInvoice({ invoiceNumber }))
    const listed: string[] = []
    for await (const invoice of other.list({ size: 2, sort: 'createdAt,desc' })) {
      listed.push(invoice.invoiceNumber)
      // Shifts every page behind it.
      if (listed.length === 3) await other.createInvoice(makeInvoice())
    }
    expect([...listed].sort()).toEqual(numbers)
    const query = { invoiceNumber: numbers[3]!, invoiceDateFrom: '2026-01-31', status: undefined }
    const found: string[] = []
    for await (const { invoiceNumber } of other.list(query as object)) found.push(invoiceNumber)
    expect(found).toEqual([numbers[3]])
    expect(await other.listPage({ page: 1, size: 5 })).toMatchObject({ page: 1, totalElements: 8 })
    const refused = other.list({ size: 101 }).next()
    expect((await thrownBy(refused)).errors[0]?.field).toBe('size')
  })

  test('downloads to bytes and to files that are whole', async () => {
    const { id, invoiceNumber } = await client.createInvoice(makeInvoice())
    await client.waitUntilFinal(id)
    const xml = await client.download(id, 'xml')
    expect(xml).toMatchObject({ fileName: `${invoiceNumber}.xml`, mediaType: 'application/xml' })
    expect(isSignatureValid(Buffer.from(xml.bytes))).toBe(true)
    const folder = await mkdtemp(path.join(tmpdir(), 'client-'))
    const file = path.join(folder, 'mine.pdf')
    await writeFile(file, 'an older one')
    const saved = await client.save(id, 'pdf', { file })
    const bytes = await readFile(file)
    expect(saved.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await client.save(id, 'qr', { file: (name) => path.join(folder, name) })
    expect((await readdir(folder)).sort()).toEqual([`${invoiceNumber}.png`, 'mine.pdf'].sort())
    const draft = await client.createInvoice(makeInvoice({ draft: true }))
    expect((await thrownBy(client.download(draft.id, 'xml'))).code).toBe('ARTEFACT_NOT_AVAILABLE')
  })

  test('accepts an existing invoice only when asked to', async () => {
    const invoice = makeInvoice({ buyerName: '  Atlas ', buyerAddress: '', dueDate: '2026-02-28' })
    const { id } = await client.createInvoice(invoice)
    const again = await thrownBy(client.createInvoice(invoice))
    expect(again).toMatchObject({ code: 'INVOICE_NUMBER_EXISTS', status: 409 })
    const taken = await client.createInvoice(invoice, { acceptExisting: true })
    expect(taken.id).toBe(id)
    const lines = [aLine({ unitPrice: 450.51 })] as NewInvoice['lines']
    const other = { ...invoice, buyerName: 'Rif', lines }
    const error = await thrownBy(client.createInvoice(other, { acceptExisting: true }))
    expect(error.code).toBe('INVOICE_NUMBER_EXISTS')
    expect(error.errors.map(({ field }) => field)).toEqual(['buyerName', 'lines[0].unitPrice'])
    expect(error.message).toContain('Nothing was created.')
    // A draft of the same content is not the signed invoice that was asked for.
    const draft = await client.createInvoice(makeInvoice({ draft: true }))
    const draftNow = await client.get(draft.id)
    const sent = { ...makeInvoice(), invoiceNumber: draftNow.invoiceNumber }
    const refused = await thrownBy(client.createInvoice(sent, { acceptExisting: true }))
    expect(refused.errors.map(({ field }) => field)).toEqual(['status'])
  })

  test('never shows its key', async () => {
    const { key } = organization.key
    const shown = `${inspect(client, { depth: 9, showHidden: true })}${JSON.stringify(client)}`
    expect(shown).not.toContain(key)
    const strange = new EinvoicingClient({
      baseUrl: stack().baseUrl,
      apiKey: `${key.slice(0, -1)}!`,
    })
    const error = await thrownBy(strange.get('x'))
    expect(error).toMatchObject({ code: 'API_KEY_INVALID', status: 401 })
    expect(`${inspect(error, { depth: 9 })}${error.stack ?? ''}`).not.toContain(key.slice(7, -1))
    for (const apiKey of [`${key}\n`, `${key} `, '', `${key}é`]) {
      const make = () => new EinvoicingClient({ baseUrl: stack().baseUrl, apiKey })
      expect(make).toThrow('apiKey must be a key as the dashboard showed it')
      expect(make).not.toThrow(key)
    }
  })

  test.each(['ftp://x', 'localhost:8080', 'http://user:pass@host', 'http://host/?q=1', ''])(
    'refuses %s as an address',
    (baseUrl) => {
      expect(() => new EinvoicingClient({ baseUrl, apiKey: 'svc_sk_x' })).toThrow(
        'baseUrl must be the http:// or https:// address of the service alone',
      )
    },
  )
})

onOwnStack(
  'the client and a limit of 3 requests a minute',
  { RATE_LIMIT_PER_MINUTE: '3' },
  (stack) => {
    test('does not wait for a retry after the deadline', async () => {
      const { key } = await newOrganization(stack())
      const client = new EinvoicingClient({
        baseUrl: stack().baseUrl,
        apiKey: key.key,
        deadlineMs: 10_000,
      })
      for (let count = 0; count < 3; count += 1) await client.listPage()
      const startedAt = Date.now()
      const error = await thrownBy(client.createInvoice(makeInvoice()))
      expect(error).toMatchObject({ code: 'API_KEY_RATE_LIMITED', status: 429, isTemporary: true })
      expect(error.retryAfterSeconds).toBeGreaterThan(10)
      expect(Date.now() - startedAt).toBeLessThan(10_000)
    })
  },
)
