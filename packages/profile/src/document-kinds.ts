export interface DocumentKind {
  root: string
  namespace: string
  /** Local names of elements, and the UNTDID 1001 code (BT-3). */
  typeCodeElement: string
  typeCode: string
  lineElement: string
  quantityElement: string
  /** UBL 2.1, section 5.4: what `cac:Signature` refers to. */
  signatureId: string
  /** On the PDF; sentences agree with the gender of the noun. */
  french: {
    title: string
    noun: string
    billedTo: string
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
    /** Across a rejected document. */
    rejectedMark: string
    /** Instead of the above in a test, where no administration is involved. */
    test: { accepted: string; rejected: string; failed: string; awaiting: string }
  }
}

const ubl = 'urn:oasis:names:specification:ubl:'

export const documentKinds = {
  invoice: {
    root: 'Invoice',
    namespace: `${ubl}schema:xsd:Invoice-2`,
    typeCodeElement: 'InvoiceTypeCode',
    typeCode: '380',
    lineElement: 'InvoiceLine',
    quantityElement: 'InvoicedQuantity',
    signatureId: `${ubl}signature:Invoice`,
    french: {
      title: 'FACTURE',
      noun: 'Facture',
      billedTo: 'FACTURÉ À',
      amountInWords: 'Arrêtée la présente facture à la somme de',
      accepted: 'Facture validée par la DGI',
      rejected: 'Facture rejetée par la DGI',
      failed: 'Échec de la transmission à la DGI',
      awaiting: 'En attente de validation par la DGI',
      qrHint: 'Le code QR permet de vérifier cette facture auprès de l’administration fiscale.',
      acceptedOn: 'Validée le',
      rejectedOn: 'Rejetée le',
      submittedOn: 'Transmise le',
      signedOn: 'Signée le',
      rejectedMark: 'REJETÉE',
      test: {
        accepted: 'Facture validée par le simulateur',
        rejected: 'Facture rejetée par le simulateur',
        failed: 'Échec de la transmission au simulateur',
        awaiting: 'En attente de validation par le simulateur',
      },
    },
  },
} as const satisfies Readonly<Record<string, DocumentKind>>

export function findDocumentKind(root: {
  localName: string | null
  namespaceURI: string | null
}): DocumentKind | undefined {
  return Object.values(documentKinds).find(
    (kind) => kind.root === root.localName && kind.namespace === root.namespaceURI,
  )
}
