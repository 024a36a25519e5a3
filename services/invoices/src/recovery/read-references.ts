import { country } from '@einvoicing/profile/identifiers'
import { documentKinds, type DocumentKind } from '@einvoicing/profile/document-kinds'
import { readCorrectionReason } from '@einvoicing/profile/payment-notes'
import type { Period, PrecedingInvoices } from '@einvoicing/proto/invoice'
import { elementsAt, requiredText, textAt, type Element } from './element'

export function readReferences(root: Element, kind: DocumentKind, notes: readonly string[]) {
  const { correctionReason, others } =
    kind === documentKinds.creditNote
      ? readCorrectionReason(notes)
      : { correctionReason: undefined, others: notes }
  if (others.length > 1) throw new Error('the document has notes that its amounts do not explain')
  return {
    note: others[0],
    correctionReason,
    precedingInvoices: readPreceding(root),
    buyerReference: textAt(root, 'BuyerReference'),
    purchaseOrderNumber: textAt(root, 'OrderReference/ID'),
    contractNumber: textAt(root, 'ContractDocumentReference/ID'),
    deliveryNoteNumber: textAt(root, 'DespatchDocumentReference/ID'),
    servicePeriod: readPeriod(root),
  }
}

/** Their ids are not in the document: `addReferenceIds`. */
function readPreceding(root: Element): PrecedingInvoices | undefined {
  const references = elementsAt(root, 'BillingReference/InvoiceDocumentReference')
  if (references.length === 0) return undefined
  const items = references.map((reference) => ({
    invoiceNumber: requiredText(reference, 'ID'),
    invoiceDate: textAt(reference, 'IssueDate'),
  }))
  return { items }
}

export function readPeriod(parent: Element): Period | undefined {
  const [period] = elementsAt(parent, 'InvoicePeriod')
  return period && { from: textAt(period, 'StartDate'), to: textAt(period, 'EndDate') }
}

export function readDelivery(root: Element) {
  const address = 'Delivery/DeliveryLocation/Address'
  const deliveryAddress = textAt(root, `${address}/StreetName`)
  const code = textAt(root, `${address}/Country/IdentificationCode`)
  return {
    deliveryDate: textAt(root, 'Delivery/ActualDeliveryDate'),
    deliveryAddress,
    deliveryCountry: code === country && deliveryAddress !== undefined ? undefined : code,
  }
}
