import Big from 'big.js'
import fc from 'fast-check'
import type { AllowanceCharges, LineContent } from '@einvoicing/proto/invoice'
import { computeTotals, type Adjustments } from './totals'

const line = (
  quantity: string,
  unitPrice: string,
  vatRate = 20,
  more: Partial<LineContent> = {},
): LineContent => ({ lineNumber: 1, description: 'x', quantity, unitPrice, vatRate, ...more })

interface Drawn {
  amount?: string
  percent?: string
  vatRate?: number
}

const list = (...items: Drawn[]): AllowanceCharges => ({
  items: items.map((item) => ({ ...item, reason: 'r', shares: [] })),
})

function collectErrors(compute: () => unknown): string[] {
  try {
    compute()
  } catch (error) {
    const { fieldErrors } = error as { fieldErrors: { field: string; message: string }[] }
    return fieldErrors.map(({ field, message }) => `${field} ${message}`)
  }
  return []
}

const priced = fc.record({
  quantity: fc.integer({ min: 1, max: 500 }).map((units) => String(units / 10)),
  unitPrice: fc.integer({ min: 1, max: 9_999_999 }).map((units) => String(units / 1_000)),
  vatRate: fc.constantFrom(0, 7, 10, 14, 20),
  allowance: fc.option(fc.integer({ min: 1, max: 10_000 }).map((units) => String(units / 100))),
  charge: fc.option(fc.integer({ min: 1, max: 999_999 }).map((units) => (units / 100).toFixed(2))),
})
const drawn = fc.record({
  lines: fc.array(priced, { minLength: 1, maxLength: 12 }),
  // Of the whole document, so that no allowance exceeds its base.
  allowances: fc.array(fc.constantFrom('0.5', '2', '3.333', '10', '0.0000000001'), {
    maxLength: 5,
  }),
  charges: fc.array(fc.constantFrom('0.25', '1', '12.125'), { maxLength: 5 }),
})

/** The same rules by another library's arithmetic. */
function oracle({
  lines,
  allowances,
  charges,
}: typeof drawn extends fc.Arbitrary<infer T> ? T : never) {
  const round = (amount: Big) => amount.round(2, Big.roundHalfUp)
  const minor = (amount: Big) => Number(amount.times(100).toFixed(0))
  const nets = new Map<number, Big>()
  for (const { quantity, unitPrice, vatRate, allowance, charge } of lines) {
    const gross = round(new Big(quantity).times(unitPrice))
    const net = gross.minus(round(gross.times(allowance ?? 0).div(100))).plus(charge ?? 0)
    nets.set(vatRate, (nets.get(vatRate) ?? new Big(0)).plus(net))
  }
  let [ht, vat, less, more] = [new Big(0), new Big(0), new Big(0), new Big(0)]
  for (const [rate, net] of nets) {
    const share = (percents: string[]) =>
      percents.reduce((sum, percent) => sum.plus(round(net.times(percent).div(100))), new Big(0))
    const base = net.minus(share(allowances)).plus(share(charges))
    ht = ht.plus(base)
    vat = vat.plus(round(base.times(rate).div(100)))
    less = less.plus(share(allowances))
    more = more.plus(share(charges))
  }
  const lineTotal = [...nets.values()].reduce((sum, net) => sum.plus(net), new Big(0))
  return {
    amountHt: minor(ht),
    amountVat: minor(vat),
    amountTtc: minor(ht.plus(vat)),
    ...((allowances.length > 0 || charges.length > 0) && {
      lineTotalHt: minor(lineTotal),
      allowanceTotal: minor(less),
      chargeTotal: minor(more),
    }),
  }
}

it('agrees with an independent oracle', () => {
  fc.assert(
    fc.property(drawn, (content) => {
      const lines = content.lines.map(({ quantity, unitPrice, vatRate, allowance, charge }) =>
        line(quantity, unitPrice, vatRate, {
          ...(allowance !== null && { allowances: list({ percent: allowance }) }),
          ...(charge !== null && { charges: list({ amount: charge }) }),
        }),
      )
      const all = (percents: string[]) =>
        percents.length === 0 ? undefined : list(...percents.map((percent) => ({ percent })))
      const { allowances, charges } = content
      const adjustments = { allowances: all(allowances), charges: all(charges) }
      expect(computeTotals(lines, 'MAD', adjustments)).toMatchObject(oracle(content))
    }),
    { numRuns: 300 },
  )
})

it('accepts a line allowance of the rounded amount', () => {
  const allowances = list({ percent: '10' })
  const totals = computeTotals([line('3', '99.99', 20, { allowances })], 'MAD')
  expect(totals.lines[0]?.allowances?.items[0]?.shares).toMatchObject([
    { baseAmount: 29_997, amount: 3_000 },
  ])
  expect([totals.lines[0]?.amountHt, totals.amountVat]).toEqual([26_997, 5_399])
})

it('splits a percentage without rate between the rates, each by its own base', () => {
  const lines = [line('1', '100.25', 20), line('1', '33.33', 14), line('1', '10', 0)]
  const { allowances, vatSubtotals } = computeTotals(lines, 'MAD', {
    allowances: list({ percent: '2' }),
  })
  expect(allowances?.items[0]?.shares).toEqual([
    { vatCategory: 'S', vatRate: 20, baseAmount: 10_025, amount: 201 },
    { vatCategory: 'S', vatRate: 14, baseAmount: 3_333, amount: 67 },
    { vatCategory: 'E', vatRate: 0, baseAmount: 1_000, amount: 20 },
  ])
  expect(vatSubtotals).toEqual([
    { vatRate: 20, taxableAmount: 9_824, vatAmount: 1_965 },
    { vatRate: 14, taxableAmount: 3_266, vatAmount: 457 },
    { vatRate: 0, taxableAmount: 980, vatAmount: 0 },
  ])
})

it('computes what is due, the stamp duty and the VAT withheld', () => {
  const adjustments = { prepaidAmount: '200', stampDuty: true, vatWithholdingPercent: 75 }
  expect(computeTotals([line('1', '1000')], 'MAD', adjustments)).toMatchObject({
    amountTtc: 120_000,
    amountDue: 100_000,
    stampDutyAmount: 250,
    vatWithheldAmount: 15_000,
    amountAfterWithholding: 85_000,
  })
})

const ten = line('1', '10', 20)
const two = [ten, line('1', '10', 7)]
const mixed = [line('1', '10', 0), line('1', '10', 0, { vatCategory: 'AE' })]

it.each<[string, LineContent[], Adjustments, string[]]>([
  ['the whole line', [line('1', '10', 20, { allowances: list({ amount: '10' }) })], {}, []],
  [
    'more than the line',
    [line('1', '10', 20, { allowances: list({ amount: '10.01' }) })],
    {},
    ['lines[0].allowances must not exceed the amount of the line, 10.00'],
  ],
  ['the whole base', [ten], { allowances: list({ amount: '10' }) }, []],
  [
    'more than the base',
    [ten],
    { allowances: list({ amount: '10.01' }) },
    ['allowances must not exceed the lines: VAT 20 %, 10.00'],
  ],
  ['all prepaid', [ten], { prepaidAmount: '12' }, []],
  [
    'more prepaid',
    [ten],
    { prepaidAmount: '12.01' },
    ['prepaidAmount must not exceed the total including VAT, 12.00'],
  ],
  [
    'a rate without lines',
    [ten],
    { allowances: list({ percent: '1', vatRate: 14 }) },
    ['allowances[0].vatRate must be that of a line; no line has 14'],
  ],
  [
    'an amount of several rates',
    two,
    { charges: list({ amount: '1' }) },
    ['charges[0].vatRate is required: the lines have 20, 7'],
  ],
  [
    'a rate of several categories',
    mixed,
    { allowances: list({ percent: '1', vatRate: 0 }) },
    ['allowances[0].vatCategory is required: the lines have E, AE'],
  ],
  [
    'too many decimals, and every other error',
    [ten],
    { allowances: list({ amount: '1.001' }), prepaidAmount: '99.999' },
    [
      'allowances[0].amount must have at most 2 digits after the decimal point, as the currency has',
      'prepaidAmount must have at most 2 digits after the decimal point, as the currency has',
      'prepaidAmount must not exceed the total including VAT, 10.80',
    ],
  ],
])('refuses what cannot be: %s', (_, lines, adjustments, expected) => {
  expect(collectErrors(() => computeTotals(lines, 'MAD', adjustments))).toEqual(expected)
})
