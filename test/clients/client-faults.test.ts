/** The TypeScript client behind a front that fails in every way between it and the service. */

import { mkdtemp, readdir, writeFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EinvoicingClient, type ClientSettings, type EinvoicingError } from '@einvoicing/client'
import { eventually } from '@einvoicing/servers/eventually'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { makeInvoice, thrownBy } from './client-calls'
import { openFaultyFront, type Failure, type FaultyFront } from './faulty-front'

const slowDown: Failure = { status: 429, headers: { 'Retry-After': '0' } }
const unavailable: Failure = { status: 503, headers: { 'Retry-After': '0' } }
const badGateway: Failure = { status: 502 }
const htmlAtOnce: Failure = { status: 200 }

onOneStack('the client behind a faulty front', (stack) => {
  let organization: Organization
  let front: FaultyFront
  beforeAll(async () => {
    organization = await newOrganization(stack())
    front = await openFaultyFront(stack().baseUrl)
  })
  afterAll(() => front.close())

  const clientWith = (settings: Partial<ClientSettings> = {}) =>
    new EinvoicingClient({
      baseUrl: front.baseUrl,
      apiKey: organization.key.key,
      timeoutMs: 15_000,
      ...settings,
    })
  const requests = () => front.seen.map(({ method, path: at }) => `${method} ${at.split('?')[0]!}`)
  const posts = () => front.seen.filter(({ method }) => method === 'POST').length
  const countInvoices = async (invoiceNumber: string) =>
    (await organization.invoices.list({ invoiceNumber })).data.totalElements

  describe('creation', () => {
    /** What befalls the first requests, and how often the invoice may be sent at all. */
    const befalling: [string, number, Failure[]][] = [
      ['429 with Retry-After', 2, [slowDown]],
      ['503 with Retry-After', 2, [unavailable]],
      ['502 with a page', 2, [badGateway]],
      ['a page with 200, nothing carried out', 2, [htmlAtOnce]],
      ['a page with 200, all carried out', 1, ['page after']],
      ['the connection cut before', 2, ['cut before']],
      ['the connection cut after', 1, ['cut after']],
      ['the answer cut in the middle', 1, ['cut midway']],
      ['half an answer', 1, ['truncated']],
      ['the answer and the look lost', 1, ['cut after', 'cut after', 'truncated', 'none']],
      ['one after the other', 2, ['cut before', slowDown, 'cut after']],
    ]

    const tooLate = 'an answer that comes too late'
    const lateToo = [...befalling, [tooLate, 1, [{ slowMs: 4_500 }]]] as typeof befalling
    test.each(lateToo)('%s: is created once', async (name, sentAtMost, problems) => {
      const invoice = makeInvoice({ buyerName: 'Atlas', buyerAddress: ' ' })
      front.plan(...problems)
      const client = clientWith(name === tooLate ? { timeoutMs: 3_000 } : {})
      const created = await client.createInvoice(invoice)
      expect(created).toMatchObject({ invoiceNumber: invoice.invoiceNumber, amountTtc: 1081.2 })
      expect(posts()).toBeLessThanOrEqual(sentAtMost)
      expect(await countInvoices(invoice.invoiceNumber)).toBe(1)
      expect(new Set(front.seen.map(({ headers }) => headers['x-request-id'])).size).toBe(
        front.seen.length,
      )
    })

    test('waits for Retry-After, and sends nothing meanwhile', async () => {
      front.plan({ status: 429, headers: { 'Retry-After': '1' } })
      const pauses: [string, number][] = []
      const onPause = ({ code }: EinvoicingError, ms: number) => pauses.push([code, ms])
      await clientWith({ onPause }).createInvoice(makeInvoice())
      expect(pauses).toEqual([['NOT_THE_SERVICE', expect.any(Number)]])
      expect(pauses[0]![1]).toBeGreaterThanOrEqual(1_000)
      const [first, second] = front.seen
      expect(requests()).toEqual(['POST /v1/invoices', 'POST /v1/invoices'])
      expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000)
      const date = new Date(Date.now() + 2_000).toUTCString()
      front.plan({ status: 503, headers: { 'Retry-After': date } })
      await clientWith().listPage()
      expect(front.seen[1]!.at).toBeGreaterThanOrEqual(Date.parse(date))
    })

    test('is not sent again when the outcome cannot be checked', async () => {
      const invoice = makeInvoice()
      front.plan('cut after', badGateway, 'cut before', badGateway, badGateway)
      const error = await thrownBy(clientWith().createInvoice(invoice))
      expect(error.code).toBe('OUTCOME_UNKNOWN')
      expect(error.message).toMatch(
        /^It is not known whether the invoice was created\. Last error: .* Repeat the call with acceptExisting: true/,
      )
      expect(posts()).toBe(1)
      // As its words say:
      front.plan()
      await clientWith().createInvoice(invoice, { acceptExisting: true })
      expect(await countInvoices(invoice.invoiceNumber)).toBe(1)
    })

    test('the outcome is unknown while the request may be in progress', async () => {
      const invoice = makeInvoice()
      front.plan({ heldMs: 15_000 })
      const impatient = clientWith({ attempts: 1 })
      const error = await thrownBy(impatient.createInvoice(invoice, { timeoutMs: 1_000 }))
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: { code: 'TIMED_OUT' } })
      expect(requests()).toEqual(['POST /v1/invoices', 'GET /v1/invoices'])
      // It arrives after all.
      const { id } = await eventually(async () => {
        const found = await clientWith().find(invoice.invoiceNumber)
        if (!found) throw new Error('it has not arrived')
        return found
      })
      expect((await clientWith().createInvoice(invoice, { acceptExisting: true })).id).toBe(id)
    })

    test('does not touch a different invoice with the same number', async () => {
      const { invoiceNumber } = await organization.invoices.created({ buyerName: 'Rif' })
      front.plan('cut before')
      const error = await thrownBy(clientWith().createInvoice(makeInvoice({ invoiceNumber })))
      expect(error).toMatchObject({
        code: 'INVOICE_NUMBER_EXISTS',
        errors: [{ field: 'buyerName', message: 'differs from the existing invoice' }],
      })
      expect(posts()).toBe(1)
    })

    test('errors are thrown at once, without a retry', async () => {
      front.plan()
      const refused = clientWith().createInvoice(makeInvoice({ currency: 'XXX' }))
      expect((await thrownBy(refused)).code).toBe('VALIDATION_ERROR')
      front.plan({ status: 413 })
      expect(await thrownBy(clientWith().createInvoice(makeInvoice()))).toMatchObject({
        code: 'NOT_THE_SERVICE',
        status: 413,
        message:
          'Unexpected response (not from the invoicing service): HTTP 413, text/html. Check the address and any proxy in between.',
      })
      expect(front.seen).toHaveLength(1)
    })

    test('is stopped by its signal, with the reason given', async () => {
      const reason = new Error('the user closed the window')
      front.planAlways(unavailable)
      const stop = new AbortController()
      setTimeout(() => stop.abort(reason), 300)
      const startedAt = Date.now()
      const call = clientWith().createInvoice(makeInvoice(), { signal: stop.signal })
      await expect(call).rejects.toBe(reason)
      expect(Date.now() - startedAt).toBeLessThan(5_000)
    })
  })

  describe('reading', () => {
    const passing: [string, Failure[]][] = [
      ['429', [slowDown]],
      ['503', [unavailable, 'cut before', 'cut midway']],
      ['a page', [htmlAtOnce, badGateway, 'truncated']],
    ]

    test.each(passing)('%s: is repeated', async (_, problems) => {
      front.plan(...problems)
      expect(await clientWith().listPage({ size: 1 })).toMatchObject({ size: 1 })
      expect(front.seen).toHaveLength(problems.length + 1)
    })

    test('gives up, and throws the last error', async () => {
      front.planAlways('cut before')
      expect(await thrownBy(clientWith().listPage())).toMatchObject({ code: 'CONNECTION_LOST' })
      expect(front.seen).toHaveLength(4)
      front.planAlways({ slowMs: 60_000 })
      const slow = clientWith({ timeoutMs: 2_000, attempts: 2 }).listPage()
      expect(await thrownBy(slow)).toMatchObject({
        code: 'TIMED_OUT',
        message: 'No complete response within 2000 ms.',
      })
      expect(front.seen).toHaveLength(2)
      front.planAlways(unavailable)
      const startedAt = Date.now()
      const bounded = clientWith({ attempts: 99, deadlineMs: 1_500 }).listPage()
      expect((await thrownBy(bounded)).status).toBe(503)
      // All 99 attempts would take minutes.
      expect(Date.now() - startedAt).toBeLessThan(10_000)
    })

    test('does not follow a redirect, nor take the key elsewhere', async () => {
      const elsewhere = await openFaultyFront(stack().baseUrl)
      front.plan({ status: 307, headers: { Location: `${elsewhere.baseUrl}/v1/invoices` } })
      const error = await thrownBy(clientWith().listPage())
      expect(error).toMatchObject({ code: 'NOT_THE_SERVICE', status: 307 })
      expect(error.message).toContain('a redirect')
      expect([front.seen.length, elsewhere.seen.length]).toEqual([1, 0])
      await elsewhere.close()
    })

    test('reports that nothing listens', async () => {
      const closed = await openFaultyFront(stack().baseUrl)
      await closed.close()
      const error = await thrownBy(clientWith({ baseUrl: closed.baseUrl }).listPage())
      expect(error.code).toBe('UNREACHABLE')
      expect(error.message).toBe(
        `Cannot connect to ${closed.baseUrl} (ECONNREFUSED). Check that the service is running and that the address is correct.`,
      )
      const creation = clientWith({ baseUrl: closed.baseUrl, attempts: 1 }).createInvoice(
        makeInvoice(),
      )
      expect((await thrownBy(creation)).code).toBe('UNREACHABLE')
    })

    test('removes the key from texts of others', async () => {
      const { key } = organization.key
      const body = { code: 'BAD_REQUEST', message: `Bearer ${key}?`, data: null, errors: null }
      front.plan({ status: 400, body: JSON.stringify(body) })
      expect((await thrownBy(clientWith().listPage())).message).toBe('Bearer svc_sk_…?')
    })
  })

  describe('waiting', () => {
    test('retries after errors', async () => {
      const { id } = await organization.invoices.created()
      front.plan('cut before', slowDown, 'truncated', htmlAtOnce)
      expect((await clientWith().waitUntilFinal(id)).status).toBe('ACCEPTED')
      expect(front.seen.length).toBeGreaterThan(4)
      front.planAlways(badGateway)
      const error = await thrownBy(clientWith().waitUntilFinal(id, { deadlineMs: 1_000 }))
      expect(error).toMatchObject({ code: 'NOT_FINAL', cause: { code: 'NOT_THE_SERVICE' } })
      expect(error.message).toContain('The invoice could not be read (')
    })
  })

  describe('a draft', () => {
    const changes = {
      sign: { to: 'SIGNED', make: (id: string) => clientWith().sign(id) },
      cancel: { to: 'CANCELLED', make: (id: string) => clientWith().cancel(id) },
      update: { to: null, make: (id: string) => clientWith().update(id, { buyerName: 'Rif' }) },
    }
    const losses: Failure[][] = [['cut after'], ['cut before'], [badGateway, 'truncated']]

    const draft = () => organization.invoices.created({ draft: true, buyerName: 'Atlas' })
    const transitions = async (id: string, to: string | null) => {
      const { data } = await organization.session.call('GET', '/audit?size=100')
      return data.content.filter((entry: any) => entry.invoiceId === id && entry.to === to).length
    }

    test.each(['sign', 'cancel', 'update'] as const)('%s: is done once', async (name) => {
      const { to, make } = changes[name]
      for (const problems of losses) {
        const { id } = await draft()
        front.plan(...problems)
        const changed = await make(id)
        expect(changed).toMatchObject(to === null ? { buyerName: 'Rif' } : { id })
        expect(await transitions(id, to)).toBe(1)
      }
    })

    test('a draft signed in the meantime is rejected', async () => {
      const { id } = await draft()
      await organization.invoices.sign(id)
      front.plan('cut before')
      expect((await thrownBy(clientWith().cancel(id))).code).toBe('INVOICE_NOT_EDITABLE')
    })
  })

  describe('downloads', () => {
    test.each(['damaged', 'truncated', 'cut midway', 'cut before', 'page after'] as Failure[])(
      '%s: are repeated until they are whole',
      async (problem) => {
        const { id } = await organization.invoices.created()
        const folder = await mkdtemp(path.join(tmpdir(), 'client-'))
        const file = path.join(folder, 'invoice.xml')
        front.plan(problem, problem)
        await clientWith().save(id, 'xml', { file })
        const xml = await organization.invoices.bytes(id, 'xml')
        expect(xml.equals(await readFile(file))).toBe(true)
        front.plan(problem)
        const { bytes } = await clientWith().download(id, 'xml')
        expect(xml.equals(bytes)).toBe(true)
      },
    )

    const compressed: [string, Failure[]][] = [
      ['with a suffix in the tag', []],
      ['damaged', [{ gzip: 'suffixed', also: 'damaged' }]],
      ['cut', [{ gzip: 'untagged', also: 'cut midway' }]],
      ['a page', [{ gzip: 'untagged', also: 'page after' }]],
    ]

    test.each(compressed)('compressed by a front, %s: are whole', async (_, problems) => {
      const { id } = await organization.invoices.created()
      const xml = await organization.invoices.bytes(id, 'xml')
      for (const gzip of ['suffixed', 'untagged'] as const) {
        front.plan(...problems, { gzip }, { gzip: 'suffixed', also: 'damaged' })
        const { bytes } = await clientWith().download(id, 'xml')
        expect(xml.equals(bytes)).toBe(true)
        expect(front.seen).toHaveLength(problems.length + 1)
        expect(front.seen[0]!.headers['accept-encoding']).toBe('identity')
      }
    })

    test('leave what was there when they fail', async () => {
      const { id } = await organization.invoices.created()
      const folder = await mkdtemp(path.join(tmpdir(), 'client-'))
      const file = path.join(folder, 'invoice.xml')
      await writeFile(file, 'older')
      front.planAlways('damaged')
      const error = await thrownBy(clientWith({ attempts: 2 }).save(id, 'xml', { file }))
      expect(error.code).toBe('DOWNLOAD_DAMAGED')
      expect(error.message).toMatch(/^The download is damaged: the \d+ bytes received/)
      expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual([
        'older',
        ['invoice.xml'],
      ])
      front.plan()
      const nowhere = path.join(folder, 'no-such-folder', 'invoice.xml')
      await expect(clientWith().save(id, 'xml', { file: nowhere })).rejects.toThrow('ENOENT')
      expect(front.seen).toHaveLength(1)
    })
  })
})
