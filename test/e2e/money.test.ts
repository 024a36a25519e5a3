/** Random invoices, computed again with big.js: equal to the cent in the answer and the XML. */

import Big from 'big.js'
import { type LineBody, aLine, anInvoice } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom, type Random } from '../stack/random'
import { elementsAt, parseXml, textAt, textsAt } from '../stack/xml'

const minorUnits = { MAD: 2, EUR: 2, JPY: 0, TND: 3, KWD: 3 } as const
type Currency = keyof typeof minorUnits
const currencies = Object.keys(minorUnits) as Currency[]
const rates = [0, 7, 10, 14, 20]
const randomInvoices = 64

interface Totals {
  lines: Big[]
  subtotals: [rate: number, taxable: Big, tax: Big][]
  ht: Big
  vat: Big
  ttc: Big
}

function oracle(lines: readonly LineBody[], currency: Currency): Totals {
  const digits = minorUnits[currency]
  const sum = (amounts: readonly Big[]) => amounts.reduce((a, b) => a.plus(b), new Big(0))
  const amounts = lines.map(({ quantity, unitPrice }) =>
    new Big(String(quantity)).times(String(unitPrice)).round(digits, Big.roundHalfUp),
  )
  const subtotals = [...new Set(lines.map(({ vatRate }) => vatRate))].map((rate) => {
    const taxable = sum(amounts.filter((_, at) => lines[at]?.vatRate === rate))
    const tax = taxable.times(rate).div(100).round(digits, Big.roundHalfUp)
    return [rate, taxable, tax] as [number, Big, Big]
  })
  const ht = sum(amounts)
  const vat = sum(subtotals.map(([, , tax]) => tax))
  return { lines: amounts, subtotals, ht, vat, ttc: ht.plus(vat) }
}

function randomLine(random: Random, lineNumber: number): LineBody {
  // By its digits: arithmetic on numbers would add digits.
  const decimal = (integerMax: number, fractionDigits: number) => {
    const fraction = random.int(0, 10 ** random.int(0, fractionDigits) - 1)
    return Number(`${random.int(1, 10 ** random.int(1, integerMax))}.${fraction}`)
  }
  return aLine({
    lineNumber,
    quantity: random.pick([1, 3, 0.5, 0.333, 1e-7, decimal(4, 5), 1.005, 1234.5678]),
    unitPrice: random.pick([0, 0.005, 0.015, 1.005, 2.675, 1e-10, decimal(7, 4), decimal(3, 10)]),
    vatRate: random.pick(rates),
  })
}

onEveryOwnStack('money', (stack, part) => {
  const invoiceCount = Math.ceil(randomInvoices * part)
  let organization: Organization
  const seed = drawSeed('money')
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const makeAndCompare = async (lines: LineBody[], currency: Currency) => {
    const { invoices } = organization
    const answer = await invoices.create(anInvoice({ currency, lines }))
    expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 201, errors: null })
    const { data } = answer
    const expected = oracle(lines, currency)
    expect({
      lines: data.lines.map(({ amountHt }: any) => amountHt),
      ht: data.amountHt,
      vat: data.amountVat,
      ttc: data.amountTtc,
    }).toEqual({
      lines: expected.lines.map(Number),
      ht: Number(expected.ht),
      vat: Number(expected.vat),
      ttc: Number(expected.ttc),
    })
    expectDocument(await invoices.bytes(data.id, 'xml'), { lines, currency, expected })
  }

  test(`${invoiceCount} random invoices in JSON and XML (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const cases = Array.from({ length: invoiceCount }, () => ({
      currency: random.pick(currencies),
      lines: Array.from({ length: random.int(1, 9) }, (_, at) => randomLine(random, at + 1)),
    }))
    for (let at = 0; at < cases.length; at += 8) {
      await Promise.all(
        cases.slice(at, at + 8).map(({ lines, currency }) => makeAndCompare(lines, currency)),
      )
    }
  })

  test.each([
    ['half a cent goes up', 0.005, 1, 'MAD'],
    ['1.005 is not a little less', 1.005, 1, 'MAD'],
    ['2.675 is not a little less', 2.675, 1, 'EUR'],
    ['8.345 × 3', 8.345, 3, 'EUR'],
    ['half a yen goes up', 0.5, 1, 'JPY'],
    ['yen have no fraction', 1234.499, 1, 'JPY'],
    ['millimes have three', 1.0005, 1, 'TND'],
    ['fils have three', 0.0005, 1, 'KWD'],
    ['twelve digits and ten', 999999999999, 1, 'MAD'],
    ['the smallest quantity', 999999999999, 0.0000000001, 'MAD'],
  ] as const)('%s', (_, unitPrice, quantity, currency) =>
    makeAndCompare([aLine({ unitPrice, quantity, vatRate: 0 })], currency),
  )

  test('tax is rounded once for each rate, not for each line', () =>
    makeAndCompare(
      Array.from({ length: 100 }, (_, at) =>
        aLine({ lineNumber: at + 1, quantity: 1, unitPrice: 0.02, vatRate: 20 }),
      ),
      'MAD',
    ))

  test('a number is read by its digits, however it is written', async () => {
    const [line] = anInvoice().lines
    const text = JSON.stringify(anInvoice({ lines: [line!] }))
      .replace('"quantity":2', '"quantity":2.0e0')
      .replace('"unitPrice":450.5', '"unitPrice":4505000E-4')
    const { status, data } = await organization.invoices.create(text)
    expect([status, data?.amountHt]).toEqual([201, 901])
  })
})

interface Expected {
  lines: readonly LineBody[]
  currency: Currency
  expected: Totals
}

function expectDocument(xml: Buffer, { currency, expected }: Expected): void {
  const document = parseXml(xml)
  const fixed = (amount: Big) => amount.toFixed(minorUnits[currency])
  const total = (name: string) => textAt(document, `LegalMonetaryTotal/${name}`)
  const amount = (text: string | undefined) => fixed(new Big(text ?? 'absent'))
  expect(textsAt(document, 'InvoiceLine/LineExtensionAmount').map(amount)).toEqual(
    expected.lines.map(fixed),
  )
  expect({
    line: amount(total('LineExtensionAmount')),
    ht: amount(total('TaxExclusiveAmount')),
    vat: amount(textAt(document, 'TaxTotal/TaxAmount')),
    ttc: amount(total('TaxInclusiveAmount')),
    payable: amount(total('PayableAmount')),
  }).toEqual({
    line: fixed(expected.ht),
    ht: fixed(expected.ht),
    vat: fixed(expected.vat),
    ttc: fixed(expected.ttc),
    payable: fixed(expected.ttc),
  })
  const subtotals = elementsAt(document, 'TaxTotal/TaxSubtotal').map((subtotal) => [
    Number(textAt(subtotal, 'TaxCategory/Percent')),
    amount(textAt(subtotal, 'TaxableAmount')),
    amount(textAt(subtotal, 'TaxAmount')),
  ])
  const byRate = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0])
  expect(subtotals.sort(byRate)).toEqual(
    expected.subtotals
      .map(([rate, taxable, tax]) => [rate, fixed(taxable), fixed(tax)])
      .sort(byRate),
  )
  const currencyIds = new Set(
    Array.from(document.getElementsByTagName('*'), (node) => node.getAttribute('currencyID')),
  )
  currencyIds.delete(null)
  expect([...currencyIds]).toEqual([currency])
}
