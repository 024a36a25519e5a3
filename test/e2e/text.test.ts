/** Every character that XML allows comes back unchanged; the others are an error. */

import { aLine, anInvoice, newNumber } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { isSignatureValid, parseXml, textAt } from '../stack/xml'

const accepted: [string, string][] = [
  ['Arabic', 'شركة الأطلس للاستشارات'],
  ['mixed directions', 'Facture رقم 12 للعميل «Atlas»'],
  ['emoji beyond the first plane', 'Café 🧾👩‍💻🇲🇦'],
  ['markup', `<a href="x">&amp; ]]> <!-- -- --> '"`],
  ['carriage return', 'one\rtwo\r\nthree'],
  ['tab and line feed', 'one\ttwo\nthree'],
  ['blanks around', '  leading, trailing  '],
  ['blanks within', 'a    b\u00a0\u00a0c'],
  ['NEL', 'one\u0085two'],
  ['line separator', 'one\u2028two\u2029three'],
  ['C1 controls', 'a\u007f\u0080\u009fb'],
  ['combining, not normalized', 'e\u0301 \u00e9 A\u030a \u212b'],
  ['zero width and byte order', 'a\u200b\u200f\ufeffb'],
  ['the last characters', '\ud7ff\ue000\ufffd\u{10000}\u{10ffff}'],
  ['non-characters beyond the first plane', 'a\u{1fffe}\u{1ffff}b'],
  ['percent and template', '%0d%0a ${x} {{y}} $&'],
  ['a backslash', String.raw`C:\new\table`],
]

const rejected: [string, string][] = [
  ['NUL', '\u0000'],
  ['a C0 control', '\u0001'],
  ['backspace', '\b'],
  ['vertical tab', '\v'],
  ['form feed', '\f'],
  ['escape', '\u001b'],
  ['a lone high surrogate', '\ud800'],
  ['a lone low surrogate', '\udc00'],
  ['a reversed pair', '\udc00\ud800'],
  ['U+FFFE', '\ufffe'],
  ['U+FFFF', '\uffff'],
]

onEveryStack('text', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  test.each(accepted)('%s is stored and cleared', async (_, text) => {
    const { invoices } = organization
    const made = await invoices.created({
      buyerName: text,
      buyerAddress: text,
      lines: [aLine({ description: text, unit: [...text].slice(0, 16).join('') })],
    })
    const read = (await invoices.read(made.id)).data
    for (const { buyerName, buyerAddress, lines } of [made, read]) {
      expect([buyerName, buyerAddress, lines[0].description]).toEqual([text, text, text])
    }
    const found = await invoices.list({ invoiceNumber: made.invoiceNumber })
    expect(found.data.totalElements).toBe(1)

    const xml = await invoices.bytes(made.id, 'xml')
    const document = parseXml(xml)
    expect(textAt(document, 'ID')).toBe(made.invoiceNumber)
    const buyer = 'AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName'
    expect(textAt(document, buyer)).toBe(text)
    expect(xmlTexts(document)).toContain(text)
    expect(isSignatureValid(xml)).toBe(true)

    const decided = await invoices.decided(made.id)
    expect([decided.status, decided.dgiErrorMessage ?? null]).toEqual(['ACCEPTED', null])
    expect((await invoices.artefact(made.id, 'pdf')).status).toBe(200)
  })

  test.each(['Reçu N°12/2026', 'فاتورة-١٢', '发票 😀', 'a&b<c>"d\'e'])(
    'the number %s is stored, and found in either normal form',
    async (text) => {
      const { invoices } = organization
      const number = `${newNumber()} ${text}`
      const made = await invoices.created({ invoiceNumber: number.normalize('NFD') })
      const normal = number.normalize('NFC')
      expect(made.invoiceNumber).toBe(normal)
      for (const form of [normal, number.normalize('NFD')]) {
        const { data } = await invoices.list({ invoiceNumber: form })
        expect(data.content.map(({ id }: { id: string }) => id)).toEqual([made.id])
        const again = await invoices.create(anInvoice({ invoiceNumber: form }))
        expect([again.status, again.code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
      }
      expect(textAt(parseXml(await invoices.bytes(made.id, 'xml')), 'ID')).toBe(normal)
    },
  )

  test.each([
    ...[' F', 'F ', 'F\t', '\nF', 'F\u00a01', 'F\u202f1', 'F\u20071', 'F\u200b', 'F\u200d1'],
    ...['F\u2060', '\ufeffF', 'F\u00ad1', 'F\u202e1', 'F\u2066', 'F\u0085', 'F\u2028', 'F\u3000'],
  ])('the number %j is an error in an invoice, a draft and a change', async (invoiceNumber) => {
    const { invoices } = organization
    const draft = await invoices.created({ draft: true })
    const answers = [
      await invoices.create(anInvoice({ invoiceNumber })),
      await invoices.create(anInvoice({ invoiceNumber, draft: true })),
      await invoices.change(draft.id, { invoiceNumber }),
    ]
    for (const { status, errors } of answers) {
      expect([status, errors?.map(({ field }) => field)]).toEqual([400, ['invoiceNumber']])
    }
  })

  test.each(rejected)('%s is reported by field', async (_, text) => {
    const body = anInvoice({
      invoiceNumber: `F${text}`,
      buyerName: `a${text}`,
      buyerAddress: `${text}b`,
      lines: [aLine({ description: `a${text}b`, unit: `u${text}` })],
    })
    const { status, code, errors } = await organization.invoices.create(body)
    expect([status, code, errors?.map(({ field }) => field).sort()]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['buyerAddress', 'buyerName', 'invoiceNumber', 'lines[0].description', 'lines[0].unit'],
    ])
  })

  test('bytes that are no UTF-8 are an error', async () => {
    const text = JSON.stringify(anInvoice({ buyerName: 'Caf§' }))
    const [before = '', after = ''] = text.split('§')
    const latin1 = Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)])
    const { status, code } = await organization.invoices.create(latin1)
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('JSON escapes count as characters', async () => {
    const text = JSON.stringify(anInvoice({ buyerName: '§' })).replace('§', '\\u00e9\\ud83e\\uddfe')
    const { data } = await organization.invoices.create(text)
    expect(data.buyerName).toBe('é🧾')
  })
})

function xmlTexts(document: ReturnType<typeof parseXml>): string[] {
  return Array.from(document.getElementsByTagName('*'), (node) => node.textContent ?? '')
}
