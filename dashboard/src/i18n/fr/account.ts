export const account = {
  title: 'Mon compte',
  lead: (email: string, organization: string) => `${email}, chez ${organization}.`,
  password: 'Changer le mot de passe',
  passwordHint: 'Toutes vos autres sessions seront déconnectées.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  samePassword: 'Choisissez un autre mot de passe que l’actuel.',
  change: 'Changer',
  changed: 'Votre mot de passe a été modifié.',
}
