import { defaultInvoiceType, type InvoiceType } from '@einvoicing/domain/invoice-types'

export interface DocumentKind {
  type: InvoiceType
  root: string
  namespace: string
  /** Local names of elements, and the UNTDID 1001 code (BT-3). */
  typeCodeElement: string
  typeCode: string
  lineElement: string
  quantityElement: string
  /** False: the date is `cbc:PaymentDueDate` of `cac:PaymentMeans`. */
  hasDueDate: boolean
  isPaid: boolean
  /** UBL 2.1, section 5.4: what `cac:Signature` refers to. */
  signatureId: string
  /** Of the original that is attached to the PDF. */
  fileName: string
  /** Printed on the PDF, in the gender of the noun. */
  french: {
    title: string
    noun: string
    billedTo: string
    preceding: string
    amountInWords: string
    accepted: string
    rejected: string
    failed: string
    awaiting: string
    qrHint: string
    acceptedOn: string
    rejectedOn: string
    submittedOn: string
    signedOn: string
    rejectedMark: string
    /** In a test, where no administration is involved. */
    test: { accepted: string; rejected: string; failed: string; awaiting: string }
  }
}

const ubl = 'urn:oasis:names:specification:ubl:'

const invoiceElements = {
  root: 'Invoice',
  namespace: `${ubl}schema:xsd:Invoice-2`,
  typeCodeElement: 'InvoiceTypeCode',
  lineElement: 'InvoiceLine',
  quantityElement: 'InvoicedQuantity',
  hasDueDate: true,
  isPaid: true,
  signatureId: `${ubl}signature:Invoice`,
  fileName: 'facture.xml',
} as const

const feminine = {
  failed: 'Échec de la transmission à la DGI',
  awaiting: 'En attente de validation par la DGI',
  acceptedOn: 'Validée le',
  rejectedOn: 'Rejetée le',
  submittedOn: 'Transmise le',
  signedOn: 'Signée le',
  rejectedMark: 'REJETÉE',
} as const

const tested = {
  failed: 'Échec de la transmission au simulateur',
  awaiting: 'En attente de validation par le simulateur',
} as const

export const documentKinds = {
  invoice: {
    ...invoiceElements,
    type: 'INVOICE',
    typeCode: '380',
    french: {
      ...feminine,
      title: 'FACTURE',
      noun: 'Facture',
      billedTo: 'FACTURÉ À',
      preceding: 'Facture précédente',
      amountInWords: 'Arrêtée la présente facture à la somme de',
      accepted: 'Facture validée par la DGI',
      rejected: 'Facture rejetée par la DGI',
      qrHint: 'Le code QR permet de vérifier cette facture auprès de l’administration fiscale.',
      test: {
        ...tested,
        accepted: 'Facture validée par le simulateur',
        rejected: 'Facture rejetée par le simulateur',
      },
    },
  },
  creditNote: {
    type: 'CREDIT_NOTE',
    root: 'CreditNote',
    namespace: `${ubl}schema:xsd:CreditNote-2`,
    typeCodeElement: 'CreditNoteTypeCode',
    typeCode: '381',
    lineElement: 'CreditNoteLine',
    quantityElement: 'CreditedQuantity',
    hasDueDate: false,
    isPaid: false,
    signatureId: `${ubl}signature:CreditNote`,
    fileName: 'avoir.xml',
    french: {
      ...feminine,
      title: 'AVOIR',
      noun: 'Avoir',
      billedTo: 'ADRESSÉ À',
      preceding: 'Sur facture',
      amountInWords: 'Arrêté le présent avoir à la somme de',
      accepted: 'Avoir validé par la DGI',
      rejected: 'Avoir rejeté par la DGI',
      qrHint: 'Le code QR permet de vérifier cet avoir auprès de l’administration fiscale.',
      acceptedOn: 'Validé le',
      rejectedOn: 'Rejeté le',
      submittedOn: 'Transmis le',
      signedOn: 'Signé le',
      rejectedMark: 'REJETÉ',
      test: {
        ...tested,
        accepted: 'Avoir validé par le simulateur',
        rejected: 'Avoir rejeté par le simulateur',
      },
    },
  },
  prepayment: {
    ...invoiceElements,
    type: 'PREPAYMENT_INVOICE',
    typeCode: '386',
    french: {
      ...feminine,
      title: 'FACTURE D’ACOMPTE',
      noun: 'Facture d’acompte',
      billedTo: 'FACTURÉ À',
      preceding: 'Facture précédente',
      amountInWords: 'Arrêtée la présente facture d’acompte à la somme de',
      accepted: 'Facture d’acompte validée par la DGI',
      rejected: 'Facture d’acompte rejetée par la DGI',
      qrHint: 'Le code QR permet de vérifier cette facture auprès de l’administration fiscale.',
      test: {
        ...tested,
        accepted: 'Facture d’acompte validée par le simulateur',
        rejected: 'Facture d’acompte rejetée par le simulateur',
      },
    },
  },
} as const satisfies Readonly<Record<string, DocumentKind>>

const kinds: readonly DocumentKind[] = Object.values(documentKinds)

export function readKind({
  type = defaultInvoiceType,
}: {
  type?: string | undefined
}): DocumentKind {
  const kind = kinds.find((each) => each.type === type)
  if (!kind) throw new Error(`unknown type of document: ${type}`)
  return kind
}

export function findDocumentKind(
  root: { localName: string | null; namespaceURI: string | null },
  readText: (element: string) => string | undefined,
): DocumentKind | undefined {
  return kinds.find(
    (kind) =>
      kind.root === root.localName &&
      kind.namespace === root.namespaceURI &&
      kind.typeCode === readText(kind.typeCodeElement),
  )
}
