import { auditActionLabels } from '@einvoicing/domain/audit-actions'

export const audit = {
  title: 'Journal d’audit',
  lead: 'Qui a fait quoi, et quand. Les entrées ne peuvent être ni modifiées ni supprimées.',
  csv: 'Exporter en CSV',
  filters: 'Filtres',
  at: 'Date',
  actor: 'Auteur',
  action: 'Action',
  change: 'Changement de statut',
  detail: 'Détails',
  invoice: 'Facture',
  anyAction: 'Toutes les actions',
  anyActor: 'Tous',
  peopleOnly: 'Personnes seulement',
  keysOnly: 'Clés d’API seulement',
  servicesOnly: 'Service seulement',
  invoiceNumber: 'Numéro de facture',
  noSuchInvoice: 'Aucune facture ne porte ce numéro.',
  from: 'Du',
  to: 'Au',
  clear: 'Effacer les filtres',
  none: 'Aucune entrée',
  noneHint: 'Aucune entrée ne correspond à ces filtres.',
  actors: { user: 'Utilisateur', 'api-key': 'Clé d’API', service: 'Service' } as Readonly<
    Record<string, string>
  >,
  groups: {
    'invoice.': 'Factures',
    'api-key.': 'Clés d’API',
    'organization.': 'Organisation',
    'mentions.': 'Mentions légales',
    'member.': 'Membres',
    'password.': 'Mots de passe',
    'user.': 'Connexions',
  },
  actions: auditActionLabels('fr'),
}
