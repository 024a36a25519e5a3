/** Who sells and who buys (EN 16931 BG-4 to BG-8). */

import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import { profile, wording } from './profile'
import { taxScheme } from './tax'
import { isBlank, optionalTextElement, textElement } from './xml'

const country = `<cac:Country><cbc:IdentificationCode>${profile.country}</cbc:IdentificationCode></cac:Country>`

/**
 * The seller: ICE, address, IF as VAT identifier, RC, and every other mention the law wants
 * printed.
 */
export function supplierParty(issuer: LegalMentions): string {
  return (
    '<cac:AccountingSupplierParty><cac:Party>' +
    partyIdentification(issuer.ice) +
    postalAddress(issuer.address, issuer.city) +
    `<cac:PartyTaxScheme>${textElement('cbc:CompanyID', profile.vatIdPrefix + issuer.if)}${taxScheme}</cac:PartyTaxScheme>` +
    '<cac:PartyLegalEntity>' +
    textElement('cbc:RegistrationName', issuer.name) +
    optionalTextElement('cbc:CompanyID', issuer.rc) +
    optionalTextElement('cbc:CompanyLegalForm', additionalLegalInformation(issuer)) +
    '</cac:PartyLegalEntity>' +
    contact(issuer) +
    '</cac:Party></cac:AccountingSupplierParty>\n'
  )
}

/** The buyer: a consumer has no name, may have no address, and is still someone in this country. */
export function customerParty(invoice: Invoice): string {
  const name = isBlank(invoice.buyerName) ? wording.consumer : invoice.buyerName
  return (
    '<cac:AccountingCustomerParty><cac:Party>' +
    partyIdentification(invoice.buyerIce) +
    postalAddress(invoice.buyerAddress, undefined) +
    `<cac:PartyLegalEntity>${textElement('cbc:RegistrationName', name)}</cac:PartyLegalEntity>` +
    '</cac:Party></cac:AccountingCustomerParty>\n'
  )
}

// No schemeID: BR-CL-10 knows ISO 6523 schemes only, and the ICE is none.
function partyIdentification(ice: string | undefined): string {
  if (isBlank(ice)) return ''
  return `<cac:PartyIdentification>${textElement('cbc:ID', ice)}</cac:PartyIdentification>`
}

function postalAddress(street: string | undefined, city: string | undefined): string {
  return (
    '<cac:PostalAddress>' +
    optionalTextElement('cbc:StreetName', street) +
    optionalTextElement('cbc:CityName', city) +
    `${country}</cac:PostalAddress>`
  )
}

/** EN 16931 BT-33: what the law wants printed and no other element holds. */
function additionalLegalInformation(issuer: LegalMentions): string {
  const mentions = [
    [issuer.legalForm, issuer.legalForm],
    [issuer.capital, `Capital : ${issuer.capital}`],
    [issuer.tp, `TP : ${issuer.tp}`],
    [issuer.cnss, `CNSS : ${issuer.cnss}`],
  ] as const
  return mentions
    .filter(([value]) => !isBlank(value))
    .map(([, mention]) => mention)
    .join(' - ')
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
