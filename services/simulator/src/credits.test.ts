import { creditNoteXml, invoiceXml, signXml } from './testdata/documents'
import { startPlatform, type TestPlatform } from './testdata/start-platform'

type Json = Record<string, unknown>

let platform: TestPlatform
beforeAll(async () => {
  platform = await startPlatform()
  await platform.behave({ latencyMs: 0 })
})
afterAll(() => platform.stop())

let count = 0
const nextNumber = () => `C-${(count += 1)}`

async function decide(xml: string): Promise<Json> {
  const answer = (await (await platform.post(nextNumber(), signXml(xml))).json()) as Json
  for (;;) {
    const submission = await platform.read(answer['submissionId'] as string)
    if (submission['status'] !== 'PROCESSING') return submission
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Of 100.00 at 20 % for each line. */
async function report(lineCount: number, buyerIce = '009876543000012'): Promise<string> {
  const number = nextNumber()
  await decide(invoiceXml({ number, lineCount, buyerIce }))
  return number
}

async function credit(
  preceding: readonly string[],
  lineCount: number,
  fields = {},
): Promise<unknown> {
  const xml = creditNoteXml(preceding, { number: nextNumber(), lineCount, ...fields })
  const { status, errorCode } = await decide(xml)
  return errorCode ?? status
}

it('accepts credit notes up to the amount of the invoice', async () => {
  const number = await report(3)
  expect(await credit([number], 4)).toBe('CREDIT_EXCEEDS_INVOICE')
  expect(await credit([number], 2)).toBe('ACCEPTED')
  expect(await credit([number], 2)).toBe('CREDIT_EXCEEDS_INVOICE')
  expect(await credit([number], 1)).toBe('ACCEPTED')
})

it('adds up the remainders of several invoices, in their order', async () => {
  const [one, other] = [await report(1), await report(2)]
  expect(await credit([one, other], 2)).toBe('ACCEPTED')
  expect(await credit([one], 1)).toBe('CREDIT_EXCEEDS_INVOICE')
  expect(await credit([other], 1)).toBe('ACCEPTED')
})

it('counts an invoice once that is referred to twice', async () => {
  const number = await report(2)
  expect(await credit([number, number], 3)).toBe('CREDIT_EXCEEDS_INVOICE')
  expect(await credit([number, number], 1)).toBe('ACCEPTED')
  expect(await credit([number], 2)).toBe('CREDIT_EXCEEDS_INVOICE')
  expect(await credit([number], 1)).toBe('ACCEPTED')
})

it('has no limit for what it does not know', async () => {
  const number = await report(1)
  expect(await credit(['X-1'], 9)).toBe('ACCEPTED')
  expect(await credit([number, 'X-1'], 9)).toBe('ACCEPTED')
  expect(await credit([number], 1)).toBe('CREDIT_EXCEEDS_INVOICE')
})

it('rejects a credit in another currency', async () => {
  expect(await credit([await report(1)], 1, { currency: 'EUR' })).toBe('CREDIT_EXCEEDS_INVOICE')
})

it('refuses a credit note without a reference, or of a rejected invoice', async () => {
  expect(await credit([], 1)).toBe('INVALID_XML')
  const rejected = await report(1, '000000000000101')
  expect(await credit([rejected], 1)).toBe('INVALID_REFERENCE')
  const wrong = nextNumber()
  await decide(invoiceXml({ number: wrong, payable: '1.00' }))
  expect(await credit([wrong], 1)).toBe('INVALID_REFERENCE')
  // Reported again and accepted, it may be credited.
  await decide(invoiceXml({ number: wrong }))
  expect(await credit([wrong], 1)).toBe('ACCEPTED')
})

it('releases nothing, and takes nothing, for a number that exists', async () => {
  const number = await report(1)
  expect(await credit([number], 1, { number })).toBe('DUPLICATE_INVOICE')
  expect(await credit([number], 1)).toBe('ACCEPTED')
})

it.each([
  ['000000000000114', 'INVALID_REFERENCE'],
  ['000000000000115', 'CREDIT_EXCEEDS_INVOICE'],
])('accepts invoices of buyer %s, and rejects their credit notes: %s', async (buyerIce, code) => {
  const number = nextNumber()
  expect(await decide(invoiceXml({ number, buyerIce }))).toMatchObject({ status: 'ACCEPTED' })
  expect(await credit([number], 1, { buyerIce })).toBe(code)
})

it('stamps what a document is', async () => {
  const page = async (xml: string) => {
    const { qrPayload } = await decide(xml)
    return (await fetch(`${platform.url}/verify?p=${qrPayload as string}`)).text()
  }
  const number = nextNumber()
  const invoice = invoiceXml({ number })
  expect(await page(invoice)).toContain('Facture validée')
  const note = await page(creditNoteXml([number], { number: nextNumber() }))
  expect(note).toContain('Avoir validé')
  expect(note).toContain('Numéro de l’avoir')
  const code = '<cbc:InvoiceTypeCode>386</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>'
  const deposit = invoiceXml({ number: nextNumber() }).replace('<cbc:DocumentCurrencyCode>', code)
  expect(await page(deposit)).toContain('Facture d’acompte validée')
  expect(await decide(deposit.replace('386', '384'))).toMatchObject({ errorCode: 'INVALID_XML' })
})
