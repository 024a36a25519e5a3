/** The fixed words of the document. */

import { PaymentMethod } from '@einvoicing/proto/invoice'

export const paymentWords = {
  [PaymentMethod.BANK_TRANSFER]: 'Virement bancaire',
  [PaymentMethod.CASH]: 'Espèces',
  [PaymentMethod.CHECK]: 'Chèque',
  [PaymentMethod.CARD]: 'Carte bancaire',
  [PaymentMethod.OTHER]: 'Autre moyen de paiement',
  [PaymentMethod.PAYMENT_METHOD_UNSPECIFIED]: 'Non précisé',
} satisfies Record<PaymentMethod, string>

/**
 * EN 16931 wants a reason where the rate is zero; this one holds when a line gives none (design.md,
 * section 4).
 */
export const defaultExemptionReason = 'Exonération de TVA'

export const consumer = 'Consommateur final'
