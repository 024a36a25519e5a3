/** Codes are never reused or renamed: senders store them with the invoice. */
export const rejections = {
  INVALID_XML: [
    'Le document n’est pas une facture UBL 2.1 conforme au profil : corrigez-le et renvoyez-le',
    'The document is not a UBL 2.1 invoice of this profile: correct it and send it again',
  ],
  INVALID_SIGNATURE: [
    'La signature XAdES ne correspond pas au document : signez de nouveau le document exact',
    'The XAdES signature does not match the document: sign the exact document again',
  ],
  UNTRUSTED_CERTIFICATE: [
    'Le certificat de signature n’est pas valide, ou n’a pas été délivré par une autorité agréée : renouvelez-le',
    'The signing certificate is not valid, or was not issued by a trusted authority: renew it',
  ],
  AMOUNT_MISMATCH: [
    'Les montants ne correspondent pas aux lignes : recalculez les totaux',
    'The amounts do not match the lines: compute the totals again',
  ],
  INVALID_DATE: [
    'Une date n’existe pas ou l’échéance précède la facture : corrigez les dates',
    'A date does not exist, or payment is due before the invoice: correct the dates',
  ],
  INVALID_ISSUER: [
    'L’ICE du vendeur doit compter 15 chiffres : complétez vos mentions légales',
    'The seller’s ICE must have 15 digits: complete your legal details',
  ],
  INVALID_BUYER: [
    'L’ICE de l’acheteur doit compter 15 chiffres : demandez-le à votre client',
    'The buyer’s ICE must have 15 digits: ask your customer for it',
  ],
  DUPLICATE_INVOICE: [
    'Ce vendeur a déjà déclaré une facture sous ce numéro : utilisez un autre numéro',
    'This seller already reported an invoice under this number: use another number',
  ],
  ISSUER_UNKNOWN: [
    'L’ICE du vendeur est inconnu de l’administration : vérifiez votre inscription',
    'The seller’s ICE is unknown to the tax authority: check your registration',
  ],
  ISSUER_SUSPENDED: [
    'Le vendeur n’est plus autorisé à facturer : contactez votre direction des impôts',
    'The seller may no longer invoice: contact your regional tax office',
  ],
  BUYER_UNKNOWN: [
    'L’ICE de l’acheteur est inconnu de l’administration : vérifiez-le auprès de votre client',
    'The buyer’s ICE is unknown to the tax authority: check it with your customer',
  ],
  PERIOD_CLOSED: [
    'La période fiscale de cette facture est close : datez-la de la période en cours',
    'The tax period of this invoice is closed: date it in the current period',
  ],
  INVALID_REFERENCE: [
    'L’avoir renvoie à une facture rejetée : émettez une facture corrigée',
    'The credit note refers to an invoice that was rejected: issue a corrected invoice',
  ],
  CREDIT_EXCEEDS_INVOICE: [
    'Les avoirs dépassent la facture : réduisez le montant de l’avoir',
    'The credit notes exceed the invoice: reduce the amount of this one',
  ],
  PROCESSING_ERROR: [
    'La plateforme n’a pas pu traiter ce document : contactez l’assistance',
    'The platform could not process this document: contact its support',
  ],
} as const satisfies Record<string, readonly [french: string, english: string]>

export type RejectionCode = keyof typeof rejections

export class Rejection extends Error {
  override readonly name = 'Rejection'

  readonly code: RejectionCode
  /** In English; names the line or element. */
  readonly detail: string | undefined

  constructor(code: RejectionCode, detail?: string, options?: ErrorOptions) {
    super(rejectionMessage(code, detail), options)
    this.code = code
    this.detail = detail
  }
}

export function rejectionMessage(code: RejectionCode, detail?: string): string {
  const [french, english] = rejections[code]
  return `${french} / ${english}${detail === undefined ? '' : ` (${detail})`}.`
}
