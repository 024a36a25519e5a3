/** The signer's golden cases and as many random invoices. This file computes totals itself. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Invoice, InvoiceLine, LegalMentions, VatSubtotal } from '@einvoicing/proto/invoice'
import Big from 'big.js'
import type { Random } from '../stack/random'

const golden = join(__dirname, '..', '..', 'services', 'signer', 'src', 'testdata')

const minorDigits = { MAD: 2, EUR: 2, USD: 2, JPY: 0, XOF: 0, TND: 3, KWD: 3 } as const
type Currency = keyof typeof minorDigits

// Texts that escaping, canonicalization or parsers have got wrong.
const alphabet = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ...'     éèêçàùôîÉÀœŒ€£ءأؤابتثجحخقكلمنهوي١٢٣',
  ...['&', '<', '>', '"', "'", ']]>', '<!--', '-->', '<![CDATA[', '&amp;', '&#13;', '<?x?>', '%'],
  ...['\t', '\n', '\r', '\r\n', '\u007F', '\u0085', '\u00A0', '\u2028', '\u2029', '\uFEFF'],
  ...['\uFFFD', 'e\u0301', '\u200F', '🧾', '👩‍👩‍👧', '𝔘', '\u{10FFFF}', '￼'],
]

export function goldenInvoices(): [name: string, invoice: Invoice][] {
  return readdirSync(golden)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(golden, file), 'utf8')) as Invoice,
    ])
}

export function randomInvoice(random: Random, lineCount = random.int(1, 12)): Invoice {
  const currency = random.pick(['MAD', 'MAD', 'MAD', 'EUR', 'USD', 'JPY', 'XOF', 'TND', 'KWD'])
  const digits = minorDigits[currency as Currency]
  const lines = Array.from({ length: lineCount }, (_, index) =>
    randomLine(random, index + 1, digits),
  )
  const maybe = <T>(value: T) => (random.next() < 0.6 ? value : undefined)
  return {
    id: '00000000-0000-4000-8000-000000000000',
    organizationId: '00000000-0000-4000-8000-000000000001',
    status: 'PENDING',
    issuer: randomMentions(random),
    invoiceNumber: `N${randomText(random, 63)}`,
    invoiceDate: '2026-02-28',
    currency,
    paymentMethod: random.pick(['BANK_TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER']),
    buyerIce: maybe(randomDigits(random, 15)),
    buyerName: maybe(randomText(random, 256)),
    buyerAddress: maybe(randomText(random, 512)),
    dueDate: maybe('2026-03-31'),
    purchaseOrderNumber: maybe(randomText(random, 64)),
    ...randomDetails(random),
    ...randomKind(random),
    lines,
    ...totals(lines),
    createdAt: '2026-02-28T23:59:59.999Z',
    updatedAt: '2026-02-28T23:59:59.999Z',
  }
}

function randomKind(random: Random): Partial<Invoice> {
  const items = Array.from({ length: random.int(1, 3) }, () => ({
    invoiceNumber: `P${randomText(random, 63)}`,
    invoiceDate: '2025-12-31',
  }))
  return random.pick<Partial<Invoice>>([
    {},
    {},
    { precedingInvoices: { items } },
    { type: 'PREPAYMENT_INVOICE' },
    {
      type: 'CREDIT_NOTE',
      precedingInvoices: { items },
      correctionReason: `R${randomText(random, 511)}`,
    },
  ])
}

function randomDetails(random: Random): Partial<Invoice> {
  const seldom = <T>(value: T) => (random.next() < 0.3 ? value : undefined)
  const period = random.pick([
    { from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-02-01' },
    { to: '2026-02-01' },
  ])
  return {
    ...random.pick<Partial<Invoice>>([
      {},
      { buyerIf: randomDigits(random, 8) },
      { buyerCountry: 'FR', buyerIf: `FR${randomDigits(random, 11)}` },
    ]),
    buyerCity: seldom(randomText(random, 128)),
    note: seldom(randomText(random, 1_024)),
    buyerReference: seldom(randomText(random, 128)),
    contractNumber: seldom(randomText(random, 64)),
    deliveryNoteNumber: seldom(randomText(random, 64)),
    servicePeriod: seldom(period),
    deliveryDate: seldom('2026-02-15'),
    deliveryAddress: seldom(randomText(random, 512)),
    deliveryCountry: seldom(random.pick(['MA', 'SN'])),
    paymentTerms: seldom(randomText(random, 512)),
    paymentReference: seldom(randomText(random, 140)),
    paymentAccount: seldom(
      random.pick([
        { iban: 'MA64011519000001205000534921', name: randomText(random, 140) },
        { rib: '011519000001205000534921', bic: 'BMCEMAMC' },
        { rib: '011519000001205000534921' },
      ]),
    ),
  }
}

/** EN 16931 allows no amount of three decimals. */
export function isInEn16931(invoice: Invoice): boolean {
  return toMinorDigits(invoice) <= 2
}

export function toMinorDigits({ currency }: Invoice): number {
  return minorDigits[currency as Currency]
}

function randomLine(random: Random, lineNumber: number, digits: number): InvoiceLine {
  const quantity = new Big(`${random.int(0, 9_999)}.${randomDigits(random, 10)}1`).round(10, 3)
  const unitPrice = random.next() < 0.1 ? new Big(0) : randomPrice(random)
  const amount = quantity.times(unitPrice).round(digits, Big.roundHalfUp)
  return {
    lineNumber,
    description: `D${randomText(random, 511)}`,
    quantity: quantity.toFixed(),
    unitPrice: unitPrice.toFixed(),
    vatRate: random.pick([0, 7, 10, 14, 20]),
    unit: random.pick(['', 'kg', 'Heures', 'HUR', randomText(random, 32)]) || undefined,
    vatExemptionReason: random.pick(['', '', randomText(random, 256)]) || undefined,
    itemCode: random.pick(['', '', randomText(random, 64)]) || undefined,
    orderLineNumber: random.pick(['', '', randomText(random, 64)]) || undefined,
    note: random.pick(['', '', randomText(random, 512)]) || undefined,
    servicePeriod: random.next() < 0.3 ? { from: '2026-01-01' } : undefined,
    amountHt: amount.times(10 ** digits).toNumber(),
  }
}

function randomPrice(random: Random): Big {
  return new Big(`${random.int(0, 99_999)}.${randomDigits(random, random.int(1, 10))}`)
}

function totals(lines: readonly InvoiceLine[]) {
  const rates = [...new Set(lines.map(({ vatRate }) => vatRate))]
  const vatSubtotals = rates.map((vatRate): VatSubtotal => {
    const taxed = lines.filter((line) => line.vatRate === vatRate)
    const taxable = taxed.reduce((sum, line) => sum.plus(line.amountHt), new Big(0))
    const vat = taxable.times(vatRate).div(100).round(0, Big.roundHalfUp)
    return { vatRate, taxableAmount: taxable.toNumber(), vatAmount: vat.toNumber() }
  })
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0)
  const amountHt = sum(lines.map((line) => line.amountHt))
  const amountVat = sum(vatSubtotals.map(({ vatAmount }) => vatAmount))
  return { vatSubtotals, amountHt, amountVat, amountTtc: amountHt + amountVat }
}

function randomMentions(random: Random): LegalMentions {
  const maybe = (value: string) => (random.next() < 0.5 ? value : '')
  return {
    name: `S${randomText(random, 80)}`,
    legalForm: maybe('SARL AU'),
    capital: maybe('1 000 000 MAD'),
    address: `A${randomText(random, 80)}`,
    city: `V${randomText(random, 20)}`,
    ice: randomDigits(random, 15),
    if: randomDigits(random, 8),
    rc: randomDigits(random, 6),
    tp: randomDigits(random, 8),
    cnss: maybe(randomDigits(random, 7)),
    rib: maybe(randomDigits(random, 24)),
    phone: maybe('+212 5 22 00 00 00'),
    email: maybe('compta@exemple.ma'),
  }
}

function randomText(random: Random, lengthMax: number): string {
  const length = random.int(0, lengthMax)
  let text = ''
  while (text.length < length) text += random.pick(alphabet)
  return text
}

function randomDigits(random: Random, length: number): string {
  return Array.from({ length }, () => random.int(0, 9)).join('')
}
