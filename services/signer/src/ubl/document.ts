/** Written in exclusive canonical form: the text written is the text hashed. */

import { readKind, type DocumentKind } from '@einvoicing/profile/document-kinds'
import { customizationId, ublVersion } from '@einvoicing/profile/identifiers'
import { writeNote } from '@einvoicing/profile/note-subject'
import { writeCorrectionReason, writePaymentNotes } from '@einvoicing/profile/payment-notes'
import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import { documentAllowanceCharges } from './allowance-charge'
import { delivery } from './delivery'
import { writeLine } from './line'
import { documentNamespaces, signatureExtension } from './namespaces'
import { customerParty, supplierParty } from './party'
import { paymentMeans, paymentTerms } from './payment'
import { references } from './references'
import { taxTotal } from './tax'
import { legalMonetaryTotal } from './totals'
import { optionalTextElement, textElement } from './xml'

/** Cut where the signature belongs; joined they are the canonical bytes that it covers. */
export interface UnsignedDocument {
  beforeSignature: string
  afterSignature: string
}

/** Throws for text or a currency that no document can hold: a defect. */
export function writeDocument(invoice: Invoice, issuer: LegalMentions): UnsignedDocument {
  const kind = readKind(invoice)
  const lines = invoice.lines.map((line) => writeLine(line, kind, invoice.currency)).join('')
  const afterSignature =
    extensionsEnd +
    header(invoice, kind) +
    references(invoice) +
    signatureReference(kind) +
    supplierParty(issuer, invoice) +
    customerParty(invoice) +
    delivery(invoice) +
    paymentMeans(invoice, issuer, kind) +
    paymentTerms(invoice) +
    documentAllowanceCharges(invoice) +
    taxTotal(invoice) +
    legalMonetaryTotal(invoice) +
    `${lines}</${kind.root}>`
  return { beforeSignature: beforeSignature(kind), afterSignature }
}

function beforeSignature({ root, namespace, signatureId }: DocumentKind): string {
  return (
    `<${root} ${documentNamespaces(namespace)}>\n<ext:UBLExtensions><ext:UBLExtension>` +
    textElement('ext:ExtensionURI', signatureExtension.uri) +
    `<ext:ExtensionContent><sig:UBLDocumentSignatures xmlns:sig="${signatureExtension.signaturesNamespace}">` +
    `<sac:SignatureInformation xmlns:sac="${signatureExtension.aggregateNamespace}">` +
    textElement('cbc:ID', signatureExtension.informationId) +
    `<sbc:ReferencedSignatureID xmlns:sbc="${signatureExtension.basicNamespace}">${signatureId}</sbc:ReferencedSignatureID>`
  )
}

const extensionsEnd =
  '</sac:SignatureInformation></sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>\n'

function header(invoice: Invoice, kind: DocumentKind): string {
  const { typeCodeElement, typeCode, hasDueDate } = kind
  const { invoiceNumber, invoiceDate, dueDate, currency, note, buyerReference } = invoice
  return (
    textElement('cbc:UBLVersionID', ublVersion) +
    textElement('cbc:CustomizationID', customizationId) +
    textElement('cbc:ID', invoiceNumber) +
    textElement('cbc:IssueDate', invoiceDate) +
    optionalTextElement('cbc:DueDate', hasDueDate ? dueDate : undefined) +
    textElement(`cbc:${typeCodeElement}`, typeCode) +
    [note, writeCorrectionReason(invoice.correctionReason), ...writePaymentNotes(invoice)]
      .map((text) => optionalTextElement('cbc:Note', text && writeNote(text)))
      .join('') +
    textElement('cbc:DocumentCurrencyCode', currency) +
    optionalTextElement('cbc:BuyerReference', buyerReference) +
    '\n'
  )
}

function signatureReference({ signatureId }: DocumentKind): string {
  return (
    '<cac:Signature>' +
    textElement('cbc:ID', signatureId) +
    textElement('cbc:SignatureMethod', signatureExtension.uri) +
    '</cac:Signature>\n'
  )
}
