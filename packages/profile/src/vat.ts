/** Percent. */
export const vatRates = [0, 7, 10, 14, 20] as const

export type VatRate = (typeof vatRates)[number]

/** UNCL 5305: S, standard; E, exempt, which needs a reason (BR-E-10). */
export function toVatCategory(vatRate: number): 'S' | 'E' {
  return vatRate === 0 ? 'E' : 'S'
}

/** BT-120, for an exempt line without a reason. */
export const defaultExemptionReason = 'Exonération de TVA'

/** On the PDF, where the client named no article: the law wants the exemption cited. */
export const printedExemptionReason = `${defaultExemptionReason} (article 91, 92 ou 94 du CGI)`

/** Item property (BT-160) with the reason of an exempt line. */
export const exemptionPropertyName = "Motif d'exonération de TVA"
