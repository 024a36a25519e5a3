import Big from 'big.js'
import fc from 'fast-check'
import { limits } from '@einvoicing/domain/limits'
import type { AllowanceCharges, LineContent } from '@einvoicing/proto/invoice'
import { computeTotals, type Adjustments } from './totals'

const line = (
  quantity: string,
  unitPrice: string,
  vatRate = 20,
  more: Partial<LineContent> = {},
): LineContent => ({ lineNumber: 1, description: 'x', quantity, unitPrice, vatRate, ...more })

interface Item {
  amount?: string
  percent?: string
  vatRate?: number
  vatCategory?: string
}

const list = (...items: Item[]): AllowanceCharges => ({
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

const decimal = (max: number, scale: number) =>
  fc.integer({ min: 1, max }).map((units) => (units / 10 ** scale).toFixed(scale))
const priced = (quantity: fc.Arbitrary<string>, unitPrice: fc.Arbitrary<string>) =>
  fc.record({
    quantity,
    unitPrice,
    vatRate: fc.constantFrom(0, 7, 10, 14, 20),
    allowance: fc.option(decimal(10_000, 2)),
    charge: fc.option(decimal(999_999, 2)),
  })
const drawDocument = (line: ReturnType<typeof priced>) =>
  fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    // Of the whole document, so that no allowance exceeds its base.
    allowances: fc.array(fc.constantFrom('0.5', '2', '3.333', '10', '0.0000000001'), {
      maxLength: 5,
    }),
    charges: fc.array(fc.constantFrom('0.25', '1', '12.125'), { maxLength: 5 }),
  })
type Drawn = ReturnType<typeof drawDocument> extends fc.Arbitrary<infer T> ? T : never

const tooLarge = 'too large'

/** The same rules by another library's arithmetic. */
function oracle({ lines, allowances, charges }: Drawn) {
  const round = (amount: Big) => amount.round(2, Big.roundHalfUp)
  const minor = (amount: Big) => {
    const digits = amount.times(100).toFixed(0)
    return digits.length > limits.amountSignificantDigits ? tooLarge : Number(digits)
  }
  const nets = new Map<number, Big>()
  const lineAmounts = lines.map(({ quantity, unitPrice, vatRate, allowance, charge }) => {
    const gross = round(new Big(quantity).times(unitPrice))
    const less = round(gross.times(allowance ?? 0).div(100))
    const net = gross.minus(less).plus(charge ?? 0)
    nets.set(vatRate, (nets.get(vatRate) ?? new Big(0)).plus(net))
    const toItems = (amount: Big) => ({
      items: [{ shares: [{ baseAmount: minor(gross), amount: minor(amount) }] }],
    })
    return {
      amountHt: minor(net),
      ...(allowance !== null && { allowances: toItems(less) }),
      ...(charge !== null && { charges: toItems(new Big(charge)) }),
    }
  })
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
    lines: lineAmounts,
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

function compute({ lines, allowances, charges }: Drawn) {
  const sent = lines.map(({ quantity, unitPrice, vatRate, allowance, charge }) =>
    line(quantity, unitPrice, vatRate, {
      ...(allowance !== null && { allowances: list({ percent: allowance }) }),
      ...(charge !== null && { charges: list({ amount: charge }) }),
    }),
  )
  const all = (percents: string[]) =>
    percents.length === 0 ? undefined : list(...percents.map((percent) => ({ percent })))
  return computeTotals(sent, 'MAD', { allowances: all(allowances), charges: all(charges) })
}

it('agrees with an independent oracle', () => {
  const usual = drawDocument(priced(decimal(500, 1), decimal(9_999_999, 3)))
  fc.assert(
    fc.property(usual, (content) => {
      expect(compute(content)).toMatchObject(oracle(content))
    }),
    { numRuns: 300 },
  )
})

it('refuses a document with an amount of over 15 digits, and no other', () => {
  const large = fc
    .tuple(decimal(9_999, 3), fc.nat(7))
    .map(([first, zeros]) => new Big(10).pow(zeros).times(first).toFixed())
  fc.assert(
    fc.property(drawDocument(priced(large, large)), (content) => {
      const expected = oracle(content)
      if (!JSON.stringify(expected).includes(tooLarge)) {
        expect(compute(content)).toMatchObject(expected)
      } else {
        const errors = collectErrors(() => compute(content))
        expect(errors.join()).toContain('more than 15 significant digits')
      }
    }),
    { numRuns: 500 },
  )
})

const times = (count: number, item: Item) => list(...Array.from({ length: count }, () => item))
const huge = line('999999999999', '999', 20)
const cancelled = {
  allowances: times(10, { percent: '100' }),
  charges: times(9, { percent: '100' }),
}

it.each<[string, string, LineContent[], Adjustments, string]>([
  [
    'the price of a line before its allowance',
    'MAD',
    [line('12345678901', '987654.321', 20, { allowances: list({ percent: '99.999' }) })],
    {},
    'lines[0]',
  ],
  [
    'an amount on a line',
    'CLF',
    [
      line('1', '1', 20, {
        allowances: list({ amount: '1' }),
        charges: list({ amount: '1' }, { amount: '123456789012.3456' }),
      }),
    ],
    {},
    'lines[0].charges[1]',
  ],
  [
    'an amount of the document',
    'CLF',
    [line('1', '1')],
    { charges: list({ amount: '123456789012.3456' }) },
    'charges[0]',
  ],
  ['a sum of allowances', 'JPY', [huge], cancelled, 'allowances'],
])('refuses over 15 digits in %s', (_, currency, lines, adjustments, field) => {
  const errors = collectErrors(() => computeTotals(lines, currency, adjustments))
  expect(errors.map((error) => error.split(' ')[0])).toContain(field)
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
    'a category without lines at the rate',
    [ten],
    { allowances: list({ percent: '1', vatRate: 20, vatCategory: 'E' }) },
    ['allowances[0].vatCategory must be that of a line; no line has E at 20 %'],
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
