export const statuses = {
  PENDING: 'Brouillon',
  SIGNED: 'Signée',
  TRANSMITTED: 'Transmise',
  ACCEPTED: 'Acceptée',
  REJECTED: 'Rejetée',
  FAILED: 'Échec',
  CANCELLED: 'Annulée',
  hints: {
    PENDING: 'Pas encore signée. Elle peut être modifiée.',
    SIGNED: 'Signée, en attente de transmission à l’administration fiscale.',
    TRANSMITTED: 'Reçue par l’administration fiscale. Décision en attente.',
    ACCEPTED: 'Acceptée par l’administration fiscale. La facture est valable.',
    REJECTED: 'Rejetée par l’administration fiscale. Voir le motif ci-dessous.',
    FAILED: 'N’a pas pu être transmise. Vous pouvez la renvoyer.',
    CANCELLED: 'Annulée. Son numéro ne peut pas être réutilisé.',
  },
}
