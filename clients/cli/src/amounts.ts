/** Amounts for people: `1081.20 MAD`. */

/**
 * With two fraction digits, or as many as the amount has. An amount has at most 15 digits, so that
 * its number is exact.
 */
export function amountText(amount: number, currency: string): string {
  const fraction = String(amount).split('.')[1] ?? ''
  return `${amount.toFixed(Math.max(2, fraction.length))} ${currency}`
}
