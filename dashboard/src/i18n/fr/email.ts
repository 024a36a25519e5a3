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
  verify: 'Confirmer cette adresse',
  passwordTitle: 'Mot de passe de ce compte',
  passwordHint:
    'Ce navigateur n’y est pas connecté. Si ce n’était pas vous, fermez cette page : rien ne change, et un nouveau compte est supprimé.',
  verified: 'Adresse confirmée',
  verifiedLead: (address: string) => `${address} est confirmée.`,
  openChange: 'Vous confirmez ainsi l’adresse d’un nouveau compte, ou un changement d’adresse.',
  halfTitle: 'Une des deux adresses est confirmée',
  halfLead: (confirmed: string, remaining: string) =>
    `${confirmed} a confirmé le changement. Ouvrez maintenant le lien envoyé à ${remaining}.`,
  changed: 'Adresse modifiée',
  changedLead: (address: string) => `Vous vous connectez désormais avec ${address}.`,
  goOn: 'Continuer',
  taken:
    'La nouvelle adresse a désormais un compte à elle : votre adresse reste la même. Choisissez-en une autre dans Mon compte.',
  expired:
    'Ce lien n’est plus valable : il a servi, date de plus de 24 heures, ou sa demande a été remplacée ou annulée. Connectez-vous et demandez-en un nouveau si besoin.',
}
