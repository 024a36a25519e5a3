import { isBlank } from '@einvoicing/domain/xml-text'
import { isAbroad } from '@einvoicing/profile/countries'
import { country, fiscalScheme, toVatIdentifier } from '@einvoicing/profile/identifiers'
import { writeLegalInformation } from '@einvoicing/profile/legal-information'
import { findVatCategory } from '@einvoicing/profile/vat'
import { texts } from '@einvoicing/profile/texts'
import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import { taxSchemeElement } from './tax'
import { optionalTextElement, textElement } from './xml'

/** `undefined`: Morocco. */
export function countryElement(code: string | undefined): string {
  return `<cac:Country>${textElement('cbc:IdentificationCode', isBlank(code) ? country : code)}</cac:Country>`
}

/** EN 16931 BG-4 to BG-6. */
export function supplierParty(issuer: LegalMentions, invoice: Invoice): string {
  return (
    '<cac:AccountingSupplierParty><cac:Party>' +
    partyIdentification(issuer.ice) +
    postalAddress(issuer.address, issuer.city, country) +
    supplierTaxScheme(issuer, invoice) +
    '<cac:PartyLegalEntity>' +
    textElement('cbc:RegistrationName', issuer.name) +
    optionalTextElement('cbc:CompanyID', issuer.rc) +
    optionalTextElement('cbc:CompanyLegalForm', writeLegalInformation(issuer)) +
    '</cac:PartyLegalEntity>' +
    contact(issuer) +
    '</cac:Party></cac:AccountingSupplierParty>\n'
  )
}

/** EN 16931 BG-7, BG-8: the country is required even of a consumer without an address. */
export function customerParty(invoice: Invoice): string {
  const name = isBlank(invoice.buyerName) ? texts.consumer : invoice.buyerName
  return (
    '<cac:AccountingCustomerParty><cac:Party>' +
    partyIdentification(invoice.buyerIce) +
    postalAddress(invoice.buyerAddress, invoice.buyerCity, invoice.buyerCountry) +
    buyerTaxScheme(invoice) +
    `<cac:PartyLegalEntity>${textElement('cbc:RegistrationName', name)}${buyerCompanyId(invoice)}</cac:PartyLegalEntity>` +
    '</cac:Party></cac:AccountingCustomerParty>\n'
  )
}

// No schemeID: BR-CL-10 allows ISO 6523 schemes only, and the ICE is none.
function partyIdentification(ice: string | undefined): string {
  if (isBlank(ice)) return ''
  return `<cac:PartyIdentification>${textElement('cbc:ID', ice)}</cac:PartyIdentification>`
}

/** BT-31, which a document outside the scope of VAT must not have (BR-O-02): then it is BT-32. */
function supplierTaxScheme(issuer: LegalMentions, { vatSubtotals }: Invoice): string {
  const isOutside = vatSubtotals.some((subtotal) => findVatCategory(subtotal) === 'O')
  const [id, scheme] = isOutside
    ? [issuer.if, `<cac:TaxScheme><cbc:ID>${fiscalScheme}</cbc:ID></cac:TaxScheme>`]
    : [toVatIdentifier(issuer.if), taxSchemeElement]
  return `<cac:PartyTaxScheme>${textElement('cbc:CompanyID', id)}${scheme}</cac:PartyTaxScheme>`
}

/** BT-47, required for a reverse charge without BT-48 (BR-AE-02). */
function buyerCompanyId({ vatSubtotals, buyerIce }: Invoice): string {
  const isReverse = vatSubtotals.some((subtotal) => findVatCategory(subtotal) === 'AE')
  return isReverse ? optionalTextElement('cbc:CompanyID', buyerIce) : ''
}

/** BT-48. */
function buyerTaxScheme({ buyerIf, buyerCountry }: Invoice): string {
  if (isBlank(buyerIf)) return ''
  const id = isAbroad(buyerCountry) ? buyerIf : toVatIdentifier(buyerIf)
  return `<cac:PartyTaxScheme>${textElement('cbc:CompanyID', id)}${taxSchemeElement}</cac:PartyTaxScheme>`
}

function postalAddress(
  street: string | undefined,
  city: string | undefined,
  code: string | undefined,
): string {
  return (
    '<cac:PostalAddress>' +
    optionalTextElement('cbc:StreetName', street) +
    optionalTextElement('cbc:CityName', city) +
    `${countryElement(code)}</cac:PostalAddress>`
  )
}

function contact({ phone, email }: LegalMentions): string {
  if (isBlank(phone) && isBlank(email)) return ''
  return (
    '<cac:Contact>' +
    optionalTextElement('cbc:Telephone', phone) +
    optionalTextElement('cbc:ElectronicMail', email) +
    '</cac:Contact>'
  )
}
