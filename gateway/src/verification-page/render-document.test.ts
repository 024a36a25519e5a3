import type { Invoice } from '@einvoicing/proto/invoice'
import type { Language } from './languages'
import { renderDocument } from './render-document'

const invoice = {
  id: '6e7f4d1c-0000-4000-8000-000000000001',
  status: 'ACCEPTED',
  invoiceNumber: 'F-1',
  invoiceDate: '2026-05-03',
  currency: 'MAD',
  vatSubtotals: [{ vatRate: 20, taxableAmount: 100_000, vatAmount: 20_000 }],
  amountHt: 100_000,
  amountTtc: 120_000,
} as unknown as Invoice
const withheld = { vatWithholdingPercent: 75, vatWithheldAmount: 15_000 }

const render = (changes: Partial<Invoice>, language: Language = 'en') =>
  renderDocument(language, {
    ...{ invoice: { ...invoice, ...changes }, report: undefined, environment: 'live' },
    ...{ now: new Date('2026-05-03T12:00:00Z'), url: null, token: 't' },
  })

/** The rows from the total on: names, and amounts without their currency. */
function readRows(changes: Partial<Invoice>, language?: Language): string[] {
  const page = render(changes, language)
  const amounts = page.slice(page.indexOf('wide amounts'))
  const rows = [...amounts.matchAll(/<dt class="[^"]*">([^]*?)<\/dt>\s*<dd[^>]*>([^]*?)<\/dd>/g)]
  const text = (html = '') => html.replace(/<[^>]*>/g, '').replace('\u00a0MAD', '')
  return rows.slice(2).map(([, name, amount]) => `${text(name)}: ${text(amount)}`)
}

it.each<[string, Partial<Invoice>, string[]]>([
  ['nothing else', {}, ['Amount due: 1,200.00']],
  ['a deposit', { amountDue: 90_000 }, ['Already paid: -300.00', 'Amount due: 900.00']],
  ['duty', { stampDutyAmount: 300 }, ['Stamp duty 0.25 %: 3.00', 'Amount due: 1,203.00']],
  ['withheld VAT', withheld, ['VAT withheld at source 75 %: -150.00', 'Amount due: 1,050.00']],
  [
    'all of them',
    { amountDue: 90_000, stampDutyAmount: 300, ...withheld },
    [
      'Already paid: -300.00',
      'Stamp duty 0.25 %: 3.00',
      'VAT withheld at source 75 %: -150.00',
      'Amount due: 753.00',
    ],
  ],
])('with %s the amount due is that of the PDF and the XML', (_, changes, rows) => {
  expect(readRows(changes)).toEqual(['Total including VAT: 1,200.00', ...rows])
})

it.each<[Language, string]>([
  ['fr', 'Net à payer: 1\u202f053,00'],
  ['ar', 'الصافي الواجب أداؤه: 1.053,00'],
])('is so in %s', (language, due) => {
  expect(readRows({ stampDutyAmount: 300, ...withheld }, language).at(-1)).toBe(due)
})

it('a credit note is not paid: it has no amount due', () => {
  expect(readRows({ type: 'CREDIT_NOTE', ...withheld })).toEqual([
    'Total including VAT: 1,200.00',
    'VAT withheld at source 75 %: -150.00',
  ])
})

const message = 'It answered {"key":"k-1"}. Send it again with POST /v1/invoices/:id/resubmit.'

it.each(['SUBMISSION_REFUSED', 'PRECEDING_INVOICE_REJECTED'])(
  'the text about a failed transmission is for the seller, and not shown to the buyer: %s',
  (dgiErrorCode) => {
    const page = render({ status: 'FAILED', dgiErrorCode, dgiErrorMessage: message })
    expect(page).toContain(dgiErrorCode)
    expect(page).not.toMatch(/resubmit|k-1/)
  },
)

it('the reason of the platform is shown', () => {
  const rejected = { status: 'REJECTED', dgiErrorCode: 'BAD_ICE', dgiErrorMessage: 'ICE inconnu' }
  expect(render(rejected as Partial<Invoice>)).toContain('BAD_ICE – ICE inconnu')
})
