/** Mon compte. */

export const account = {
  title: 'Mon compte',
  lead: (email: string, organization: string) => `${email}, chez ${organization}.`,
  password: 'Changer de mot de passe',
  passwordTold: 'Toutes vos autres sessions prennent fin.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  change: 'Changer',
  changed: 'Votre mot de passe est changé.',
}
