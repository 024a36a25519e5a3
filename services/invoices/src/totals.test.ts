import Big from 'big.js'
import fc from 'fast-check'
import { ApiError } from '@einvoicing/domain/api-error'
import type { LineContent } from '@einvoicing/proto/invoice'
import { computeTotals } from './totals'

const line = (quantity: string, unitPrice: string, vatRate = 20): LineContent => ({
  lineNumber: 1,
  description: 'x',
  quantity,
  unitPrice,
  vatRate,
})

/** The same rules by another library's arithmetic. */
function oracle(lines: LineContent[], digits: number) {
  const round = (amount: Big) => amount.round(digits, Big.roundHalfUp)
  const byRate = new Map<number, Big>()
  let ht = new Big(0)
  for (const { quantity, unitPrice, vatRate } of lines) {
    const amount = round(new Big(quantity).times(unitPrice))
    ht = ht.plus(amount)
    byRate.set(vatRate, (byRate.get(vatRate) ?? new Big(0)).plus(amount))
  }
  let vat = new Big(0)
  for (const [rate, base] of byRate) vat = vat.plus(round(base.times(rate).div(100)))
  const minor = (amount: Big) => Number(amount.times(new Big(10).pow(digits)).toFixed(0))
  return { amountHt: minor(ht), amountVat: minor(vat), amountTtc: minor(ht.plus(vat)) }
}

const decimal = fc
  .tuple(fc.nat(99_999), fc.nat(9_999_999), fc.constantFrom(0, 1, 2, 3, 7))
  .map(([integer, fraction, digits]) =>
    digits === 0
      ? `${integer}`
      : `${integer}.${String(fraction).padStart(7, '0').slice(0, digits)}`,
  )
const lines = fc.array(
  fc.record({ quantity: decimal, unitPrice: decimal, vatRate: fc.constantFrom(0, 7, 10, 14, 20) }),
  { minLength: 1, maxLength: 40 },
)

describe('computeTotals', () => {
  it.each([
    ['MAD', 2],
    ['JPY', 0],
    ['TND', 3],
  ])('agrees with an independent oracle in %s', (currency, digits) => {
    fc.assert(
      fc.property(lines, (drawn) => {
        const drawnLines = drawn.map(({ quantity, unitPrice, vatRate }) =>
          line(quantity, unitPrice, vatRate),
        )
        expect(computeTotals(drawnLines, currency)).toMatchObject(oracle(drawnLines, digits))
      }),
      { numRuns: 300 },
    )
  })

  it('rounds each line half up', () => {
    expect(computeTotals([line('1', '0.005')], 'MAD').lines[0]?.amountHt).toBe(1)
    expect(computeTotals([line('1', '0.0049999999')], 'MAD').lines[0]?.amountHt).toBe(0)
    expect(computeTotals([line('1.005', '1')], 'MAD').lines[0]?.amountHt).toBe(101)
  })

  it('rounds VAT once for each rate, not for each line', () => {
    const three = [line('1', '0.02', 7), line('1', '0.02', 7), line('1', '0.04', 7)]
    const { vatSubtotals, amountVat } = computeTotals(three, 'MAD')
    expect(vatSubtotals).toEqual([{ vatRate: 7, taxableAmount: 8, vatAmount: 1 }])
    expect(amountVat).toBe(1)
  })

  it('lists VAT rates from the highest', () => {
    const { vatSubtotals } = computeTotals(
      [line('1', '1', 0), line('1', '1', 20), line('1', '1', 7)],
      'MAD',
    )
    expect(vatSubtotals.map(({ vatRate }) => vatRate)).toEqual([20, 7, 0])
  })

  it('holds 15 significant digits and refuses the sixteenth', () => {
    const largest = [line('1', '9999999999999.99'.slice(1), 0)]
    expect(computeTotals(largest, 'MAD').amountTtc).toBe(99_999_999_999_999)
    expect(computeTotals([line('10', '99999999999.999', 0)], 'TND').amountTtc).toBe(
      999_999_999_999_990,
    )
    expect(() => computeTotals([line('11', '99999999999.999', 0)], 'TND')).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        fieldErrors: [expect.objectContaining({ field: 'lines[0]' })],
      }),
    )
  })

  it('refuses a sum that is too large though each line is not', () => {
    const half = line('5', '99999999999.999', 20)
    expect(() => computeTotals([half, half], 'TND')).toThrow(ApiError)
    expect(() => computeTotals([half, half], 'TND')).toThrow(
      expect.objectContaining({ fieldErrors: [expect.objectContaining({ field: 'lines' })] }),
    )
  })
})
