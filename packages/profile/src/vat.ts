import { isBlank } from '@einvoicing/domain/xml-text'

/** Percent. */
export const vatRates = [0, 7, 10, 14, 20] as const

/** Of 2024 and 2025: a credit note has the rate of its original. */
export const formerVatRates = [8, 9, 11, 12, 13, 15, 16, 18] as const

export const knownVatRates = [...vatRates, ...formerVatRates].sort((a, b) => a - b)

export type VatRate = (typeof vatRates)[number] | (typeof formerVatRates)[number]

/** UNCL 5305, with the default text (BT-120). No Z: BR-Z-10 forbids the reason the CGI requires. */
export const vatCategories = {
  S: { exemption: undefined },
  E: { exemption: 'Exonération de TVA' },
  G: { exemption: 'Exportation, exonérée de TVA (art. 92-I-1° du CGI)' },
  AE: { exemption: 'Autoliquidation de la TVA par le client' },
  O: { exemption: 'Opération hors champ de la TVA' },
} as const satisfies Readonly<Record<string, { exemption: string | undefined }>>

export type VatCategory = keyof typeof vatCategories

export const vatCategoryCodes = Object.keys(vatCategories) as VatCategory[]

/** Default: S, standard; E, exempt, which needs a reason (BR-E-10). */
export function toVatCategory(vatRate: number): 'S' | 'E' {
  return vatRate === 0 ? 'E' : 'S'
}

export const defaultExemptionReason = vatCategories.E.exemption

/** On the PDF, when the client sent no reason: the law requires the article. */
export const printedExemptionReason = `${defaultExemptionReason} (article 91, 92 ou 94 du CGI)`

/** Item property (BT-160). */
export const exemptionPropertyName = "Motif d'exonération de TVA"

interface Categorized {
  vatRate: number
  vatCategory?: string | undefined
}

export function findVatCategory({ vatCategory, vatRate }: Categorized): VatCategory {
  return (vatCategory as VatCategory | undefined) ?? toVatCategory(vatRate)
}

/** One text for all reasons of a category (UBL-SR-32). Empty for S. */
export function joinExemptionReasons(
  category: VatCategory,
  lines: readonly (Categorized & { vatExemptionReason?: string | undefined })[],
): string {
  const { exemption } = vatCategories[category]
  if (exemption === undefined) return ''
  const reasons = lines
    .filter((line) => findVatCategory(line) === category)
    .map(({ vatExemptionReason: reason }) => (isBlank(reason) ? exemption : reason))
  return [...new Set(reasons)].join(' ; ')
}

/** Droit de timbre on payments in cash (CGI, art. 252-I-B), in percent. */
export const stampDutyPercent = '0.25'

/** Of the VAT, withheld by large buyers (CGI, art. 117). */
export const vatWithholdingPercents = [75, 100] as const
