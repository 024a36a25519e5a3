export const ublVersion = '2.1'

/** Specification identifier (BT-24). */
export const customizationId = 'urn:cen.eu:en16931:2017'

/** ISO 3166-1 alpha-2. */
export const country = 'MA'

/** UN/EDIFACT 5153. */
export const taxScheme = 'VAT'

/** When the seller's Identifiant Fiscal is no VAT identifier (BT-32). */
export const fiscalScheme = 'IF'

/** BT-31, which starts with the country (BR-CO-09). */
export function toVatIdentifier(taxNumber: string): string {
  return country + taxNumber
}

export function fromVatIdentifier(vatIdentifier: string): string {
  return vatIdentifier.startsWith(country) ? vatIdentifier.slice(country.length) : vatIdentifier
}
