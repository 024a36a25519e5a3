import { createHash } from 'node:crypto'
import { eventually } from '@einvoicing/servers/eventually'
import { send, untilDrawn, type Download } from '../stack/http'
import { aLine, anInvoice } from '../stack/invoices'
import { onEveryStackAndWire } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { attachmentOfPdf, pdfText, qrText, qrTextOfPdf } from '../stack/programs'
import { isSignatureValid, parseXml, textAt } from '../stack/xml'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const neverDecided = '000000000000202'

onEveryStackAndWire('artefacts', (stack) => {
  let organization: Organization
  let accepted: any
  let waiting: any
  beforeAll(async () => {
    organization = await newOrganization(stack())
    const { invoices } = organization
    const made = await invoices.created({
      buyerName: 'Société Générale des Eaux',
      lines: [aLine(), aLine({ lineNumber: 2, description: 'Déplacement', vatRate: 7 })],
    })
    accepted = await invoices.decided(made.id)
    waiting = await invoices.created({ buyerIce: neverDecided })
  })

  const get = (id: string, kind: 'pdf' | 'xml' | 'qr', headers = {}) =>
    organization.invoices.artefact(id, kind, headers)
  const readEtag = ({ headers }: Download) => headers.get('etag') ?? ''
  const readFileName = ({ headers }: Download) => headers.get('content-disposition') ?? ''

  test('the XML is available at once, matches its ETag, and verifies', async () => {
    const made = await organization.invoices.created()
    const xml = await get(made.id, 'xml')
    expect([xml.status, xml.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/xml\b/),
    ])
    expect(readEtag(xml)).toBe(`"${sha256(xml.bytes)}"`)
    expect(xml.headers.get('content-length')).toBe(String(xml.bytes.length))
    expect(isSignatureValid(xml.bytes)).toBe(true)
    const document = parseXml(xml.bytes)
    expect(document.documentElement?.localName).toBe('Invoice')
    expect(textAt(document, 'ID')).toBe(made.invoiceNumber)
  })

  test('one changed byte invalidates the signature', async () => {
    const xml = (await get(accepted.id, 'xml')).bytes.toString()
    const forged = xml.replace('>1081.20<', '>1081.21<').replace('Conseil', 'Conseils')
    expect(forged).not.toBe(xml)
    expect(isSignatureValid(Buffer.from(xml))).toBe(true)
    expect(() => expect(isSignatureValid(Buffer.from(forged))).toBe(true)).toThrow()
  })

  test('the XML stays the same bytes from SIGNED to ACCEPTED', async () => {
    const made = await organization.invoices.created()
    const before = await organization.invoices.bytes(made.id, 'xml')
    await organization.invoices.decided(made.id)
    await eventually(async () => {
      expect((await organization.invoices.bytes(made.id, 'xml')).equals(before)).toBe(true)
    }, 2_000)
    expect((await organization.invoices.bytes(made.id, 'xml')).equals(before)).toBe(true)
  })

  test.each([
    ['pdf', 'application/pdf'],
    ['xml', 'application/xml'],
    ['qr', 'image/png'],
  ] as const)('%s has type, name, strong ETag, and 304 for who has it', async (kind, type) => {
    const first = await get(accepted.id, kind)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toMatch(new RegExp(`^${type}`))
    expect(readEtag(first)).toBe(`"${sha256(first.bytes)}"`)
    expect(readFileName(first)).toMatch(/filename/)
    expect(readFileName(first)).toContain(accepted.invoiceNumber)

    for (const match of [readEtag(first), `"x", ${readEtag(first)}`, '*', `W/${readEtag(first)}`]) {
      const known = await get(accepted.id, kind, { 'If-None-Match': match })
      expect([match, known.status, known.bytes.length]).toEqual([match, 304, 0])
      expect(readEtag(known)).toBe(readEtag(first))
    }
    const other = await get(accepted.id, kind, { 'If-None-Match': '"x"' })
    expect([other.status, other.bytes.equals(first.bytes)]).toEqual([200, true])
  })

  test.each(['pdf', 'xml', 'qr'] as const)(
    'HEAD of %s has the same headers and no body',
    async (kind) => {
      const whole = await get(accepted.id, kind)
      const { key, url } = organization.invoices
      const head = await send('HEAD', `${url}/${accepted.id}/${kind}`, { key })
      expect([head.status, head.bytes.length, readEtag(head)]).toEqual([200, 0, readEtag(whole)])
    },
  )

  test('a number with characters that are not allowed in file names gives a safe name', async () => {
    const made = await organization.invoices.created({
      invoiceNumber: `../é"X-Evil: 1;/فاتورة ${Date.now()}`,
    })
    const xml = await get(made.id, 'xml')
    expect(xml.status).toBe(200)
    expect(xml.headers.get('x-evil')).toBeNull()
    const [, name = ''] = /filename="([^"]*)"/.exec(readFileName(xml)) ?? []
    expect(name).toMatch(/\.xml$/)
    expect(name).not.toMatch(/[/\\\r\n]/)
  })

  test('the QR image contains dgiQrCode', async () => {
    const { bytes } = await get(accepted.id, 'qr')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(await qrText(bytes)).toBe(accepted.dgiQrCode)
  })

  test('before acceptance there is no QR', async () => {
    const { status, code } = await organization.invoices.at(`${waiting.id}/qr`, 'GET')
    expect([status, code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
  })

  test('a preview is the marked PDF of the request, and stores nothing', async () => {
    const { key, url } = organization.invoices
    const body = anInvoice({ buyerName: 'Marjane', lines: [aLine({ description: 'Étude' })] })
    const asked = { key, body: { ...body, draft: true } }
    const preview = await untilDrawn(() => send('POST', `${url}/preview`, asked))
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect([preview.headers.get('cache-control'), readFileName(preview)]).toEqual([
      'no-store',
      expect.stringContaining(`${body.invoiceNumber}.pdf`),
    ])
    const text = await pdfText(preview.bytes)
    for (const part of [body.invoiceNumber, 'Marjane', 'Étude', 'Aperçu d’un brouillon']) {
      expect(text).toContain(part)
    }
    const found = await organization.invoices.list({ invoiceNumber: body.invoiceNumber })
    expect(found.data.totalElements).toBe(0)
    const wrong = await send('POST', `${url}/preview`, { key, body: { ...body, lines: [] } })
    expect([wrong.status, JSON.parse(wrong.bytes.toString()).code]).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await organization.invoices.created(body)).invoiceNumber).toBe(body.invoiceNumber)
  })

  test('before acceptance the PDF states that clearance is pending', async () => {
    const text = await pdfText((await get(waiting.id, 'pdf')).bytes)
    expect(text).toContain(waiting.invoiceNumber)
    expect(text).toMatch(/attente/i)
  })

  test('after acceptance the PDF has the parties, lines, amounts and the QR', async () => {
    const { bytes } = await get(accepted.id, 'pdf')
    const text = (await pdfText(bytes)).replace(/[\u00a0\u202f]/g, ' ')
    const expected = [
      accepted.invoiceNumber,
      accepted.dgiReference,
      accepted.issuerIce,
      'Atlas & Fils <SARL>',
      'Société Générale des Eaux',
      'Déplacement',
      '12345678', // IF
      '98765', // RC
      '34567890', // TP
    ]
    expect(expected.filter((part) => !text.includes(part))).toEqual([])
    expect(text).not.toMatch(/en attente/i)
    // 901 + 901, 180.20 + 63.07, whatever the digit grouping.
    const digits = text.replace(/ (?=\d{3})/g, '').replace(/,/g, '.')
    for (const amount of ['1802.00', '243.27', '2045.27']) expect(digits).toContain(amount)
    expect(await qrTextOfPdf(bytes)).toBe(accepted.dgiQrCode)
  })

  test('a PDF embeds the original, before and after acceptance, and prints its SHA-256', async () => {
    for (const { id } of [waiting, accepted]) {
      const [pdf, xml] = [(await get(id, 'pdf')).bytes, (await get(id, 'xml')).bytes]
      expect((await attachmentOfPdf(pdf)).equals(xml)).toBe(true)
      expect(await pdfText(pdf)).toContain(`facture.xml — SHA-256 : ${sha256(xml)}`)
    }
  })

  test('final bytes never change', async () => {
    const [pdf, qr, xml] = await Promise.all([
      get(accepted.id, 'pdf'),
      get(accepted.id, 'qr'),
      get(accepted.id, 'xml'),
    ])
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect((await get(accepted.id, 'pdf')).bytes.equals(pdf.bytes)).toBe(true)
      expect((await get(accepted.id, 'qr')).bytes.equals(qr.bytes)).toBe(true)
      expect((await get(accepted.id, 'xml')).bytes.equals(xml.bytes)).toBe(true)
    }
  })

  test('many concurrent requests for a new PDF get the same bytes', async () => {
    const made = await organization.invoices.created()
    await organization.invoices.decided(made.id)
    const all = await Promise.all(
      Array.from({ length: 12 }, () => organization.invoices.bytes(made.id, 'pdf')),
    )
    expect(new Set(all.map(sha256)).size).toBe(1)
  })

  test('they are private, and browsers must not sniff the type', async () => {
    const { headers } = await get(accepted.id, 'pdf')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control') ?? 'private').not.toMatch(/public/)
  })
})
