/**
 * What makes the document ours: the profile it claims, its namespaces, and the words we choose
 * where the client left a gap.
 *
 * An official Moroccan profile would replace this file and leave the writers alone.
 */

export const profile = {
  ublVersion: '2.1',
  customizationId: 'urn:cen.eu:en16931:2017',
  /** UNTDID 1001: commercial invoice. */
  invoiceTypeCode: '380',
  country: 'MA',
  /** A VAT identifier starts with its country (BR-CO-09). */
  vatIdPrefix: 'MA',
  taxScheme: 'VAT',
} as const

/** French, the language of the law these documents answer to. */
export const wording = {
  consumer: 'Consommateur final',
  vatExemption: 'Exonération de TVA',
  vatExemptionProperty: "Motif d'exonération de TVA",
  noDueDate: "Aucune date d'échéance indiquée",
} as const

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** Declared on the document element, in canonical order: the default first, then by prefix. */
export const documentNamespaces =
  `xmlns="${ubl}Invoice-2" xmlns:cac="${ubl}CommonAggregateComponents-2" ` +
  `xmlns:cbc="${ubl}CommonBasicComponents-2" xmlns:ext="${ubl}CommonExtensionComponents-2"`

/**
 * Exclusive canonicalization would push these declarations down to every first use; naming them in
 * `InclusiveNamespaces` keeps them where they are written.
 */
export const documentPrefixes = 'cac cbc ext'

/** UBL 2.1, section 5: how a document carries its own signature. */
export const signatureProfile = {
  extensionUri: 'urn:oasis:names:specification:ubl:dsig:enveloped:xades',
  informationId: 'urn:oasis:names:specification:ubl:signature:1',
  referencedId: 'urn:oasis:names:specification:ubl:signature:Invoice',
  signaturesNamespace: `${ubl}CommonSignatureComponents-2`,
  aggregateNamespace: `${ubl}SignatureAggregateComponents-2`,
  basicNamespace: `${ubl}SignatureBasicComponents-2`,
} as const
