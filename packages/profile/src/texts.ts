/** In French, the language of the law. */
export const texts = {
  /** Name of a buyer without one (BT-44). */
  consumer: 'Consommateur final',
  /** Payment terms (BT-20) without a due date; BR-CO-25 requires one of the two. */
  noDueDate: "Aucune date d'échéance indiquée",
  specimen: 'SPÉCIMEN – ENVIRONNEMENT DE TEST',
  draftMark: 'BROUILLON – SANS VALEUR',
  draftTitle: 'Aperçu d’un brouillon, non signé',
  draftHint:
    'Ce document n’est pas une facture : il n’a aucune valeur légale, et son numéro n’est pas réservé.',
  neverSentMark: 'SANS EFFET',
  neverSentTitle: 'Avoir sans effet, non transmis',
  noLegalValue: 'Environnement de test : ce document n’a aucune valeur légale.',
} as const
