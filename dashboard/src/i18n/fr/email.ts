export const email = {
  title: 'Confirmez votre adresse e-mail',
  lead: (address: string) =>
    `Un lien vient d’être envoyé à ${address}. Ouvrez-le dans les 24 heures pour activer votre compte. Sans confirmation, le compte est supprimé après 48 heures.`,
  checkSpam: 'Pas de message ? Vérifiez vos courriers indésirables, ou demandez un nouvel envoi.',
  resend: 'Renvoyer le lien',
  resent: 'Si l’adresse est encore à confirmer, un nouveau lien est en route.',
  check: 'J’ai ouvert le lien',
  notYet: 'L’adresse n’est pas encore confirmée.',
  openTitle: 'Confirmez votre adresse e-mail',
  openLead: 'Votre compte sera alors activé.',
  verify: 'Confirmer cette adresse',
  passwordTitle: 'Mot de passe de ce compte',
  passwordHint:
    'Ce navigateur n’y est pas connecté. Si vous n’avez pas créé ce compte, fermez cette page : il sera supprimé.',
  verified: 'Adresse confirmée',
  verifiedLead: (address: string) => `${address} est confirmée.`,
  goOn: 'Continuer',
  expired:
    'Ce lien n’est plus valable : il a déjà été utilisé, ou date de plus de 24 heures. Si votre adresse reste à confirmer, connectez-vous et demandez-en un nouveau.',
}
