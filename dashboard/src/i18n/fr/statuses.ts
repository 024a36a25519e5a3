import { statusNames } from '@einvoicing/domain/status-names'

export const statuses = {
  ...statusNames.fr,
  hints: {
    PENDING: 'Pas encore signée. Elle peut être modifiée.',
    SIGNED: 'Signée, en attente de transmission à l’administration fiscale.',
    TRANSMITTED: 'Reçue par l’administration fiscale. Décision en attente.',
    ACCEPTED: 'Acceptée par l’administration fiscale. La facture est valable.',
    REJECTED: 'Rejetée par l’administration fiscale. Le motif figure sur sa page.',
    FAILED: 'Sans décision de l’administration fiscale. Le motif figure sur sa page.',
    CANCELLED: 'Annulée. Son numéro ne peut pas être réutilisé.',
  },
}
