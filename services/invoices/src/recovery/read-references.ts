import { country } from '@einvoicing/profile/identifiers'
import { readPaymentNotes } from '@einvoicing/profile/payment-notes'
import type { Period } from '@einvoicing/proto/invoice'
import { elementsAt, textAt, type Element } from './element'
import { readNotes } from './read-amounts'

export function readReferences(root: Element) {
  return {
    note: readPaymentNotes(readNotes(root)).others[0],
    buyerReference: textAt(root, 'BuyerReference'),
    purchaseOrderNumber: textAt(root, 'OrderReference/ID'),
    contractNumber: textAt(root, 'ContractDocumentReference/ID'),
    deliveryNoteNumber: textAt(root, 'DespatchDocumentReference/ID'),
    servicePeriod: readPeriod(root),
  }
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
