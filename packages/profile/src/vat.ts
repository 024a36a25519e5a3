/** Percent. */
export const vatRates = [0, 7, 10, 14, 20] as const

export type VatRate = (typeof vatRates)[number]

/** UNCL 5305: S, the standard categories of the law; E, exempt, which needs a reason (BR-E-10). */
export function toVatCategory(vatRate: number): 'S' | 'E' {
  return vatRate === 0 ? 'E' : 'S'
}

/** For an exempt line that gives no reason (BT-120). */
export const defaultExemptionReason = 'Exonération de TVA'

/** Item property (BT-160) in which an exempt line carries its own reason. */
export const exemptionPropertyName = "Motif d'exonération de TVA"
