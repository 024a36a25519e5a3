/** Les sept statuts d’une facture, en un mot et en une phrase. */

export const statuses = {
  PENDING: 'Brouillon',
  SIGNED: 'Signée',
  TRANSMITTED: 'Transmise',
  ACCEPTED: 'Acceptée',
  REJECTED: 'Rejetée',
  FAILED: 'Échec',
  CANCELLED: 'Annulée',
  told: {
    PENDING: 'Pas encore signée : modifiable.',
    SIGNED: 'Signée ; part vers l’administration fiscale.',
    TRANSMITTED: 'Chez l’administration fiscale ; sa décision est attendue.',
    ACCEPTED: 'Acceptée par l’administration fiscale : la facture est valable.',
    REJECTED: 'Refusée par l’administration fiscale : voir la raison.',
    FAILED: 'N’a pas pu être transmise : peut être renvoyée.',
    CANCELLED: 'Annulée ; son numéro reste pris.',
  },
}
