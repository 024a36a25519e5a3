import Big from 'big.js'
import fc from 'fast-check'
import { findAmountError, type StatedAmounts, type StatedLine } from './amounts'
import { minorUnitDigits } from './minor-units'

const one = new Big(1)
const unadjusted = {
  adjustments: [],
  allowanceTotal: new Big(0),
  chargeTotal: new Big(0),
  prepaid: new Big(0),
}
const standard = { code: 'S', percent: new Big(20) }

/** A line whose quantity and price are `units` / 10^`scale`. */
interface DrawnLine {
  quantity: { units: bigint; scale: number }
  price: { units: bigint; scale: number }
  percent: number
}

const factor = fc.record({
  units: fc.bigInt({ min: 0n, max: 10n ** 14n }),
  scale: fc.integer({ min: 0, max: 10 }),
})
const drawnLine: fc.Arbitrary<DrawnLine> = fc.record({
  quantity: factor,
  price: factor,
  percent: fc.constantFrom(0, 7, 10, 14, 20),
})
const drawnInvoice = fc.record({
  currency: fc.constantFrom('MAD', 'JPY', 'TND', 'CLF'),
  lines: fc.array(drawnLine, { minLength: 1, maxLength: 8 }),
})

// The rule again in integers alone, so that the two ways can disagree.
function roundedHalfUp(units: bigint, scale: number, digits: number): bigint {
  if (scale <= digits) return units * 10n ** BigInt(digits - scale)
  const divisor = 10n ** BigInt(scale - digits)
  return (2n * units + divisor) / (2n * divisor)
}

function decimal(units: bigint, scale: number): Big {
  const digits = units.toString().padStart(scale + 1, '0')
  return new Big(
    `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}0`,
  )
}

function stated(currency: string, lines: DrawnLine[]): StatedAmounts {
  const digits = minorUnitDigits(currency)
  const amounts = lines.map(({ quantity, price }) =>
    roundedHalfUp(quantity.units * price.units, quantity.scale + price.scale, digits),
  )
  const subtotals = [...new Set(lines.map(({ percent }) => percent))].map((percent) => {
    const taxable = amounts.reduce(
      (sum, amount, index) => (lines[index]?.percent === percent ? sum + amount : sum),
      0n,
    )
    return { percent, taxable, tax: roundedHalfUp(taxable * BigInt(percent), digits + 2, digits) }
  })
  const lineTotal = amounts.reduce((sum, amount) => sum + amount, 0n)
  const vatTotal = subtotals.reduce((sum, { tax }) => sum + tax, 0n)
  const money = (minorUnits: bigint): Big => decimal(minorUnits, digits)
  return {
    currency,
    lines: lines.map(({ quantity, price, percent }, index) => ({
      id: String(index + 1),
      quantity: decimal(quantity.units, quantity.scale),
      unitPrice: decimal(price.units, price.scale),
      priceBaseQuantity: one,
      amount: money(amounts[index] ?? 0n),
      vat: { code: 'S', percent: new Big(percent) },
      adjustments: [],
    })),
    ...unadjusted,
    subtotals: subtotals.map(({ percent, taxable, tax }) => ({
      vat: { code: 'S', percent: new Big(`${percent}.00`) },
      taxable: money(taxable),
      tax: money(tax),
    })),
    vatTotal: money(vatTotal),
    lineTotal: money(lineTotal),
    taxExclusive: money(lineTotal),
    taxInclusive: money(lineTotal + vatTotal),
    payable: money(lineTotal + vatTotal),
  }
}

function stating(fields: Partial<StatedLine>, currency = 'MAD'): StatedAmounts {
  const line = {
    id: '1',
    quantity: one,
    unitPrice: one,
    priceBaseQuantity: one,
    amount: one,
    vat: { code: 'E', percent: new Big(0) },
    adjustments: [],
    ...fields,
  }
  const { amount, vat } = line
  const none = new Big(0)
  return {
    currency,
    lines: [line],
    ...unadjusted,
    subtotals: [{ vat, taxable: amount, tax: none }],
    vatTotal: none,
    lineTotal: amount,
    taxExclusive: amount,
    taxInclusive: amount,
    payable: amount,
  }
}

describe('findAmountError', () => {
  it('finds no error where the amounts follow from the lines', () => {
    fc.assert(
      fc.property(drawnInvoice, ({ currency, lines }) => {
        expect(findAmountError(stated(currency, lines))).toBeUndefined()
      }),
    )
  })

  const totals = ['vatTotal', 'lineTotal', 'taxExclusive', 'taxInclusive', 'payable'] as const
  it.each(totals)('finds %s off by one minor unit', (name) => {
    fc.assert(
      fc.property(drawnInvoice, fc.boolean(), ({ currency, lines }, isAbove) => {
        const invoice = stated(currency, lines)
        const minorUnit = new Big(10).pow(-minorUnitDigits(currency))
        invoice[name] = isAbove ? invoice[name].plus(minorUnit) : invoice[name].minus(minorUnit)
        expect(findAmountError(invoice)).toMatch(/stated, .* computed/)
      }),
    )
  })

  it.each([
    ['MAD', '0.005', '0.01'],
    ['MAD', '0.0049999999', '0.00'],
    ['MAD', '1.005', '1.01'],
    ['MAD', '-0.005', '-0.01'],
    ['JPY', '0.5', '1'],
    ['JPY', '2.5', '3'],
    ['TND', '0.0005', '0.001'],
    ['TND', '0.0004', '0.000'],
  ])('rounds half up: in %s a price of %s makes %s', (currency, price, amount) => {
    const line = { unitPrice: new Big(price), amount: new Big(amount) }
    expect(findAmountError(stating(line, currency))).toBeUndefined()
  })

  it('divides by the quantity a price is for', () => {
    const line = { quantity: new Big(50), unitPrice: new Big(3), priceBaseQuantity: new Big(100) }
    expect(findAmountError(stating({ ...line, amount: new Big('1.50') }))).toBeUndefined()
    expect(findAmountError(stating({ ...line, amount: new Big(150) }))).toMatch(/^line 1: 150 /)
    const impossible = { ...line, priceBaseQuantity: new Big(0) }
    expect(findAmountError(stating(impossible))).toMatch(/BaseQuantity/)
  })

  it('requires exactly one subtotal for each rate', () => {
    const invoice = stating({})
    const [subtotal] = invoice.subtotals
    if (!subtotal) throw new Error('a subtotal is stated above')
    expect(findAmountError({ ...invoice, subtotals: [] })).toMatch(/E 0 %: subtotal missing/)
    expect(findAmountError({ ...invoice, subtotals: [subtotal, subtotal] })).toMatch(/no line left/)
    const otherRate = { ...subtotal, vat: standard, taxable: new Big(0) }
    expect(findAmountError({ ...invoice, subtotals: [subtotal, otherRate] })).toMatch(
      /S 20 %: no line left/,
    )
  })

  it('keeps categories of one rate apart', () => {
    const invoice = stating({})
    const [subtotal] = invoice.subtotals
    if (!subtotal) throw new Error('a subtotal is stated above')
    const zeroRated = { ...subtotal, vat: { code: 'Z', percent: new Big(0) } }
    expect(findAmountError({ ...invoice, subtotals: [zeroRated] })).toMatch(/Z 0 %/)
  })
})

describe('allowances and charges', () => {
  const vat = { code: 'E', percent: new Big(0) }
  const money = (text: string) => new Big(text)
  const allowance = {
    isCharge: false,
    amount: money('0.10'),
    percent: money('10'),
    base: one,
    vat: undefined,
  }
  const document = (changes: Partial<StatedAmounts>): StatedAmounts => ({
    ...stating({}),
    adjustments: [{ ...allowance, vat }],
    allowanceTotal: money('0.10'),
    subtotals: [{ vat, taxable: money('0.90'), tax: money('0') }],
    taxExclusive: money('0.90'),
    taxInclusive: money('0.90'),
    payable: money('0.90'),
    ...changes,
  })

  it('belong to the amount of a line', () => {
    const line = { amount: money('0.90'), adjustments: [allowance] }
    expect(findAmountError(stating(line))).toBeUndefined()
    expect(findAmountError(stating({ ...line, amount: one }))).toMatch(/line 1: 1 stated, 0.9/)
    const wrong = { ...line, adjustments: [{ ...allowance, base: money('2') }] }
    expect(findAmountError(stating(wrong))).toMatch(/line 1 allowance base: 2 stated, 1 computed/)
  })

  it('belong to the base of their category and rate', () => {
    expect(findAmountError(document({}))).toBeUndefined()
    expect(findAmountError(document({ prepaid: money('0.40'), payable: money('0.50') }))).toBe(
      undefined,
    )
  })

  it.each<[Partial<StatedAmounts>, RegExp]>([
    [{ allowanceTotal: money('0.11') }, /AllowanceTotalAmount: 0.11 stated, 0.1 computed/],
    [{ chargeTotal: money('0.01') }, /ChargeTotalAmount/],
    [{ taxExclusive: one }, /TaxExclusiveAmount/],
    [{ prepaid: money('0.01') }, /PayableAmount/],
    [{ adjustments: [{ ...allowance, vat, amount: money('0.11') }] }, /document allowance: 0.11/],
    [{ adjustments: [{ ...allowance, vat: standard }] }, /no line has its VAT category and rate/],
    [
      { adjustments: [{ ...allowance, vat, amount: money('1.01'), percent: undefined }] },
      /allowances exceed the lines/,
    ],
  ])('are found wrong: %j', (changes, message) => {
    expect(findAmountError(document(changes))).toMatch(message)
  })
})
