import Big from 'big.js'

/** Taxable amounts as plain decimal text, by currency, VAT category and rate. */
export type Bases = Readonly<Record<string, string>>

/** Null for an invoice that was accepted before the platform stored them, or is not known. */
export type KnownBases = Bases | null

/** The rest of each invoice, or the first base that exceeds it. */
export function takeCredit(
  credit: Bases,
  originals: readonly KnownBases[],
): { left: KnownBases[] } | { excess: string } {
  const left = originals.map((bases) => (bases ? { ...bases } : null))
  // An unknown invoice has no limit.
  const isOpen = left.includes(null)
  for (const [vat, amount] of Object.entries(credit)) {
    let rest = new Big(amount)
    for (const bases of left) {
      if (!bases) continue
      const available = new Big(bases[vat] ?? 0)
      const taken = available.lt(rest) ? available : rest
      bases[vat] = available.minus(taken).toFixed()
      rest = rest.minus(taken)
    }
    if (rest.gt(0) && !isOpen) return { excess: `${vat}: ${rest.toFixed()} more than is left` }
  }
  return { left }
}
