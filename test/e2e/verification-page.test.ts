import { eventually } from '@einvoicing/servers/eventually'
import { send, untilDrawn } from '../stack/http'
import { newNumber, type Invoices } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'
import { pdfText } from '../stack/programs'

const publicUrl = 'http://invoices.example.ma'

// Thirty requests a minute of one address, so each test counts its own.
onEveryOwnStack(
  "a document's page",
  (stack) => {
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
  },
  { PUBLIC_URL: publicUrl },
)
