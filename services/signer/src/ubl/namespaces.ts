const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** In canonical order: the default first, then by prefix. */
export function documentNamespaces(documentNamespace: string): string {
  return (
    `xmlns="${documentNamespace}" xmlns:cac="${ubl}CommonAggregateComponents-2" ` +
    `xmlns:cbc="${ubl}CommonBasicComponents-2" xmlns:ext="${ubl}CommonExtensionComponents-2"`
  )
}

/** Exclusive canonicalization would move declarations that `InclusiveNamespaces` does not name. */
export const documentPrefixes = 'cac cbc ext'

/** UBL 2.1, section 5: how a document carries its own signature. */
export const signatureExtension = {
  uri: 'urn:oasis:names:specification:ubl:dsig:enveloped:xades',
  informationId: 'urn:oasis:names:specification:ubl:signature:1',
  signaturesNamespace: `${ubl}CommonSignatureComponents-2`,
  aggregateNamespace: `${ubl}SignatureAggregateComponents-2`,
  basicNamespace: `${ubl}SignatureBasicComponents-2`,
} as const
