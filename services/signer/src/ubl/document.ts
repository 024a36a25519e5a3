/**
 * The UBL 2.1 invoice, written at once in exclusive canonical form, so that what is hashed is what
 * was written.
 *
 * Element order is the schema's (UBL-Invoice-2.1.xsd). One line of text for each part, so that
 * people can read a difference.
 */

import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import { invoiceLine } from './line'
import { customerParty, supplierParty } from './party'
import { paymentMeans, paymentTerms } from './payment'
import { documentNamespaces, profile, signatureProfile } from './profile'
import { taxTotal } from './tax'
import { legalMonetaryTotal } from './totals'
import { optionalTextElement, textElement } from './xml'

/**
 * The canonical bytes as text, cut where the signature belongs; put together they are what the
 * signature covers.
 */
export interface UnsignedDocument {
  beforeSignature: string
  afterSignature: string
}

const beforeSignature =
  `<Invoice ${documentNamespaces}>\n<ext:UBLExtensions><ext:UBLExtension>` +
  textElement('ext:ExtensionURI', signatureProfile.extensionUri) +
  `<ext:ExtensionContent><sig:UBLDocumentSignatures xmlns:sig="${signatureProfile.signaturesNamespace}">` +
  `<sac:SignatureInformation xmlns:sac="${signatureProfile.aggregateNamespace}">` +
  textElement('cbc:ID', signatureProfile.informationId) +
  `<sbc:ReferencedSignatureID xmlns:sbc="${signatureProfile.basicNamespace}">${signatureProfile.referencedId}</sbc:ReferencedSignatureID>`

const extensionsEnd =
  '</sac:SignatureInformation></sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>\n'

const head =
  textElement('cbc:UBLVersionID', profile.ublVersion) +
  textElement('cbc:CustomizationID', profile.customizationId)

const signatureReference =
  '<cac:Signature>' +
  textElement('cbc:ID', signatureProfile.referencedId) +
  textElement('cbc:SignatureMethod', signatureProfile.extensionUri) +
  '</cac:Signature>\n'

/**
 * Writes a totalled invoice of `issuer`. Text or currency no document can hold throws: a defect.
 */
export function writeDocument(invoice: Invoice, issuer: LegalMentions): UnsignedDocument {
  const lines = invoice.lines.map((line) => invoiceLine(line, invoice.currency)).join('')
  const afterSignature =
    extensionsEnd +
    header(invoice) +
    signatureReference +
    supplierParty(issuer) +
    customerParty(invoice) +
    paymentMeans(invoice.paymentMethod, issuer) +
    paymentTerms(invoice) +
    taxTotal(invoice) +
    legalMonetaryTotal(invoice) +
    `${lines}</Invoice>`
  return { beforeSignature, afterSignature }
}

function header({ invoiceNumber, invoiceDate, dueDate, currency }: Invoice): string {
  return (
    head +
    textElement('cbc:ID', invoiceNumber) +
    textElement('cbc:IssueDate', invoiceDate) +
    optionalTextElement('cbc:DueDate', dueDate) +
    `<cbc:InvoiceTypeCode>${profile.invoiceTypeCode}</cbc:InvoiceTypeCode>` +
    textElement('cbc:DocumentCurrencyCode', currency) +
    '\n'
  )
}
