/** What proves a document: on one stack for the settings that both chapters need. */

import { createHash } from 'node:crypto'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson, send, untilDrawn, type Download } from '../stack/http'
import { newNumber, type Invoices } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { pdfText } from '../stack/programs'
import { requireSimulator, type Stack } from '../stack/stack'

const levels = ['T', 'LT', 'LTA'] as const
/** A minute for each time stamp, and the next revocation list. */
const withinMs = 120_000
const publicUrl = 'http://invoices.example.ma'

onEveryOwnStack(
  'evidence',
  (stack) => {
    describe('levels', () => testLevels(stack))
    describe("a document's page", () => testPage(stack))
  },
  { SANDBOX_CRL_SECONDS: '1', PUBLIC_URL: publicUrl },
)

function testLevels(stack: () => Stack): void {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const url = (id: string) => `${organization.invoices.url}/${id}/xml`
  const get = (id: string, level: string) =>
    send('GET', `${url(id)}?level=${level}`, { key: organization.key.key })
  const untilThere = (id: string, level: string) =>
    eventually(async () => {
      const answer = await get(id, level)
      if (answer.status !== 200) throw new Error(answer.bytes.toString())
      return answer
    }, withinMs)
  const verify = async ({ bytes: body }: Pick<Download, 'bytes'>) => {
    const headers = { 'Content-Type': 'application/xml' }
    const { key } = organization.key
    return (await requestJson('POST', `${stack().baseUrl}/v1/verify`, { key, headers, body })).data
  }
  /** That of a stack someone else runs may be an hour away. */
  const isListNear = async () => {
    const { headers } = await send('GET', `${requireSimulator(stack())}/tsa/crl`)
    return Date.parse(headers.get('expires') ?? '') < Date.now() + withinMs / 2
  }
  const reached = ({ headers }: Download) => headers.get('x-signature-level')

  test('level T is available within a minute of signing', async () => {
    const { id } = await organization.invoices.created()
    const answer = await untilThere(id, 'T')
    expect(reached(answer)).toMatch(/^XAdES-B-(T|LT|LTA)$/)
    const { timeStampedAt, createdAt } = (await organization.invoices.read(id)).data
    expect(Date.parse(timeStampedAt) - Date.parse(createdAt)).toBeLessThan(60_000)
    const { valid, provenAt } = await verify(answer)
    expect({ valid, provenAt }).toEqual({ valid: true, provenAt: timeStampedAt })
  }, 150_000)

  test('is returned at each level; the original does not change', async () => {
    const made = await organization.invoices.created()
    const original = await organization.invoices.bytes(made.id, 'xml')
    if (!(await isListNear())) {
      expect((await get(made.id, 'LTA')).status).toBe(409)
      return
    }
    await untilThere(made.id, 'LTA')
    const { data } = await organization.invoices.read(made.id)
    expect(data.signatureLevel).toBe('XAdES-B-LTA')
    for (const level of levels) {
      const answer = await get(made.id, level)
      expect([answer.status, reached(answer)]).toEqual([200, 'XAdES-B-LTA'])
      const sha256 = createHash('sha256').update(answer.bytes).digest('hex')
      expect(answer.headers.get('etag')).toBe(`"${sha256}"`)
      const report = await verify(answer)
      expect(report).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
      expect(report.held).toMatchObject({ isHeld: true, sameBytes: false })
      expect(report.timeStamps.map(({ kind, ok }: any) => [kind, ok])).toEqual([
        ['SIGNATURE', true],
        ['ARCHIVE', true],
      ])
    }
    expect((await organization.invoices.bytes(made.id, 'xml')).equals(original)).toBe(true)
  }, 150_000)

  test('is 409 before it exists, and 404 for another organization', async () => {
    const draft = await organization.invoices.created({ draft: true })
    const { id } = await organization.invoices.created()
    await untilThere(id, 'T')
    const other = await newOrganization(stack())
    for (const level of levels) {
      const { key } = organization.key
      const early = await requestJson('GET', `${url(draft.id)}?level=${level}`, { key })
      expect([early.status, early.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
      const foreign = { key: other.key.key }
      const unknown = await requestJson('GET', `${url(id)}?level=${level}`, foreign)
      expect([unknown.status, unknown.code]).toEqual([404, 'INVOICE_NOT_FOUND'])
    }
  }, 150_000)

  test.each(['B', 'lta', '', 'T&level=LT'])(
    'of no level that there is (%s) is 400',
    async (level) => {
      const { id } = await organization.invoices.created()
      const { key } = organization.key
      const answer = await requestJson('GET', `${url(id)}?level=${level}`, { key })
      expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.errors).toMatchObject([{ field: 'level' }])
    },
  )
}

// Thirty requests a minute of one address, so each test counts its own.
function testPage(stack: () => Stack): void {
  let invoices: Invoices
  let made: any
  beforeAll(async () => {
    ;({ invoices } = await newOrganization(stack()))
    made = await invoices.created({ buyerName: '<b>Client</b> & Fils' })
  })

  const get = async (url: string, headers: Record<string, string> = {}) => {
    const local = url.replace(publicUrl, stack().baseUrl)
    const request = () => send('GET', local, { headers })
    const { bytes, ...answer } = await (url.endsWith('/pdf') ? untilDrawn(request) : request())
    return { ...answer, bytes, text: bytes.toString() }
  }

  test('is named by the creation and the single read, once signed', async () => {
    expect(made.verificationUrl).toMatch(new RegExp(`^${publicUrl}/v/[\\w-]{35}$`))
    const { data } = await invoices.read(made.id)
    expect(data.verificationUrl).toBe(made.verificationUrl)
    const draft = await invoices.created({ draft: true })
    expect(draft.verificationUrl).toBeNull()
    const signed = await invoices.sign(draft.id)
    expect(signed.data.verificationUrl).toMatch(/\/v\/[\w-]{35}$/)
    const other = await newOrganization(stack())
    const elsewhere = await other.invoices.created()
    expect(elsewhere.verificationUrl).not.toBe(made.verificationUrl)
  })

  test('says whether it may be booked, in three languages, and is stored nowhere', async () => {
    const { dgiReference } = await invoices.decided(made.id)
    const { status, headers, text } = await get(`${made.verificationUrl}?lang=en`, {
      'Accept-Language': 'fr',
    })
    expect(status).toBe(200)
    expect(text).toContain('You may book this document')
    for (const shown of [dgiReference, made.invoiceNumber, made.issuerIce, '1,081.20']) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('&lt;b&gt;Client&lt;/b&gt; &amp; Fils')
    expect(text).toContain('The signature was verified just now: it is valid')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'x-robots-tag': expect.stringContaining('noindex'),
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'.*frame-ancestors 'none'$/,
      ),
    })
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    const arabic = await get(made.verificationUrl, { 'Accept-Language': 'ar-MA, fr;q=0.5' })
    expect(arabic.text).toMatch(/<html lang="ar" dir="rtl">[^]*يمكنكم تقييد هذه الوثيقة/)
    const unknown = await get(`${made.verificationUrl}?lang=de`, { 'Accept-Language': 'de' })
    expect(unknown.text).toMatch(/<html lang="fr" dir="ltr">[^]*Vous pouvez comptabiliser/)
  })

  test('gives the original, the best proof and the PDF', async () => {
    const original = await get(`${made.verificationUrl}/xml`)
    expect(original.bytes.equals(await invoices.bytes(made.id, 'xml'))).toBe(true)
    expect(original.headers.get('content-disposition')).toContain('attachment')
    expect(original.headers.get('cache-control')).toBe('no-store')
    await eventually(async () => {
      const { data } = await invoices.read(made.id)
      expect(data.signatureLevel).not.toBe('XAdES-B-B')
    }, 60_000)
    const proof = await get(`${made.verificationUrl}/proof`)
    expect([proof.status, proof.text.includes('<xades:SignatureTimeStamp')]).toEqual([200, true])
    const pdf = await get(`${made.verificationUrl}/pdf`)
    expect(pdf.text.slice(0, 5)).toBe('%PDF-')
    expect(await pdfText(pdf.bytes)).toContain(`Vérifier ce document : ${made.verificationUrl}`)
  })

  test('shows later credits', async () => {
    const invoiceNumber = newNumber('AV')
    const { status } = await invoices.creditNote(made.id, {
      invoiceNumber,
      invoiceDate: made.invoiceDate,
      correctionReason: 'Retour',
      lines: [{ lineNumber: 1, quantity: 1 }],
    })
    expect(status).toBe(201)
    const { text } = await get(`${made.verificationUrl}?lang=en`)
    expect(text).toContain('You may book this document, with its credit notes')
    expect(text).toContain(invoiceNumber)
    expect(text.match(/540\.60/g)).toHaveLength(3)
  })

  test('a wrong address gets the same answer as none', async () => {
    const draft = await invoices.created({ draft: true })
    const [, token = ''] = made.verificationUrl.split('/v/')
    const id = Buffer.from(draft.id.replaceAll('-', ''), 'hex')
    const wrong = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
      `${token}A`,
      `${token}/`,
      `${token.slice(0, -1)}/xml`,
      Buffer.concat([id, Buffer.alloc(10)]).toString('base64url'),
      '%zz',
      'a',
    ]
    const answers = []
    for (const each of wrong) answers.push(await get(`${stack().baseUrl}/v/${each}?lang=en`))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]!.text).toContain('There is no document at this address')
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store')
  })

  test('is not shown to one address more than thirty times a minute', async () => {
    let answer = await get(made.verificationUrl)
    for (let count = 0; answer.status === 200 && count < 60; count += 1) {
      answer = await get(`${made.verificationUrl}/xml`)
    }
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.text).toContain('Trop de demandes')
    expect((await invoices.read(made.id)).status).toBe(200)
  })
}
