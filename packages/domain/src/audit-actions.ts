// Names of actions, for the dashboard and the CSV.

export const auditActions = {
  'invoice.created': { fr: 'Facture créée', en: 'Invoice created' },
  'invoice.updated': { fr: 'Brouillon modifié', en: 'Draft edited' },
  'invoice.signed': { fr: 'Facture signée', en: 'Invoice signed' },
  'invoice.cancelled': { fr: 'Facture annulée', en: 'Invoice cancelled' },
  'invoice.transmitted': { fr: 'Facture transmise', en: 'Invoice transmitted' },
  'invoice.accepted': { fr: 'Facture acceptée', en: 'Invoice accepted' },
  'invoice.rejected': { fr: 'Facture rejetée', en: 'Invoice rejected' },
  'invoice.failed': { fr: 'Aucune décision à temps', en: 'No decision in time' },
  'invoice.resubmitted': { fr: 'Facture renvoyée', en: 'Invoice resent' },
  'invoice.credited': { fr: 'Avoir imputé', en: 'Credit booked' },
  'invoice.credit-released': { fr: 'Avoir annulé', en: 'Credit released' },
  'invoice.wait-ended': { fr: 'Facture d’origine acceptée', en: 'Original accepted' },
  'invoice.recovered': { fr: 'Facture restaurée', en: 'Invoice restored' },
  'audit.chain-began': { fr: 'Début du journal chaîné', en: 'Chained log began' },
  'api-key.created': { fr: 'Clé créée', en: 'Key created' },
  'api-key.rotated': { fr: 'Clé renouvelée', en: 'Key rotated' },
  'api-key.revoked': { fr: 'Clé révoquée', en: 'Key revoked' },
  'organization.created': { fr: 'Organisation créée', en: 'Organization created' },
  'organization.approved': { fr: 'Organisation approuvée', en: 'Organization approved' },
  'organization.suspended': { fr: 'Organisation suspendue', en: 'Organization suspended' },
  'organization.changed': {
    fr: 'Nom ou ICE modifié par l’exploitant',
    en: 'Name or ICE changed by the operator',
  },
  'mentions.updated': { fr: 'Mentions légales modifiées', en: 'Legal details changed' },
  'member.invited': { fr: 'Membre invité', en: 'Member invited' },
  'member.joined': { fr: 'Invitation acceptée', en: 'Member joined' },
  'member.role-changed': { fr: 'Rôle modifié', en: 'Role changed' },
  'member.removed': { fr: 'Membre retiré', en: 'Member removed' },
  'member.left': { fr: 'Organisation quittée', en: 'Organization left' },
  'password.changed': { fr: 'Mot de passe modifié', en: 'Password changed' },
  'user.signed-in': { fr: 'Connexion', en: 'Signed in' },
  'user.switched': { fr: 'Changement d’organisation', en: 'Organization switched' },
  'user.signed-out': { fr: 'Déconnexion', en: 'Signed out' },
  'user.confirmed': { fr: 'Identité confirmée', en: 'Identity confirmed' },
  'session.ended': { fr: 'Session fermée', en: 'Session ended' },
  'user.sign-in-failed': { fr: 'Connexion refusée', en: 'Sign-in failed' },
  'second-factor.totp-added': {
    fr: 'Application d’authentification ajoutée',
    en: 'Authenticator app added',
  },
  'second-factor.totp-removed': {
    fr: 'Application d’authentification retirée',
    en: 'Authenticator app removed',
  },
  'second-factor.passkey-added': { fr: 'Clé d’accès ajoutée', en: 'Passkey added' },
  'second-factor.passkey-renamed': { fr: 'Clé d’accès renommée', en: 'Passkey renamed' },
  'second-factor.passkey-removed': { fr: 'Clé d’accès retirée', en: 'Passkey removed' },
  'second-factor.recovery-code-used': { fr: 'Code de secours utilisé', en: 'Recovery code used' },
  'second-factor.recovery-codes-renewed': {
    fr: 'Codes de secours renouvelés',
    en: 'Recovery codes renewed',
  },
  'second-factor.reset': {
    fr: 'Second facteur supprimé par l’exploitant',
    en: 'Second factor removed by the operator',
  },
  'second-factor.required': { fr: 'Second facteur exigé', en: 'Second factor required' },
  'second-factor.not-required': {
    fr: 'Second facteur non exigé',
    en: 'Second factor not required',
  },
  'mail.rejected': {
    fr: 'Message refusé par le serveur de messagerie',
    en: 'Message rejected by the mail server',
  },
  'mail.given-up': {
    fr: 'Message abandonné après deux jours',
    en: 'Message given up after two days',
  },
  'email.link-offered': {
    fr: 'Lien de confirmation d’adresse envoyé',
    en: 'Email verification link sent',
  },
  'email.verified': { fr: 'Adresse e-mail confirmée', en: 'Email address verified' },
  'email.change-requested': {
    fr: 'Changement d’adresse e-mail demandé',
    en: 'Change of email requested',
  },
  'email.change-confirmed': {
    fr: 'Changement d’adresse e-mail confirmé par une adresse',
    en: 'Change of email confirmed by one address',
  },
  'email.change-cancelled': {
    fr: 'Changement d’adresse e-mail annulé',
    en: 'Change of email cancelled',
  },
  'email.changed': { fr: 'Adresse e-mail modifiée', en: 'Email address changed' },
  'account.expired': {
    fr: 'Compte supprimé : adresse non confirmée',
    en: 'Account removed: email not verified',
  },
  'password.reset-requested': {
    fr: 'Lien de réinitialisation du mot de passe envoyé à un membre',
    en: 'Password reset link sent to a member',
  },
  'password.reset-offered': {
    fr: 'Lien de réinitialisation du mot de passe créé',
    en: 'Password reset link created',
  },
  'password.reset': { fr: 'Nouveau mot de passe choisi', en: 'Password reset' },
} as const satisfies Readonly<Record<string, Record<'fr' | 'en', string>>>

export function auditActionLabels(language: 'fr' | 'en'): Readonly<Record<string, string>> {
  const labels = Object.entries(auditActions).map(([action, label]) => [action, label[language]])
  return Object.fromEntries(labels) as Record<string, string>
}
