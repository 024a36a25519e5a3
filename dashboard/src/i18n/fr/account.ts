export const account = {
  title: 'Mon compte',
  lead: (email: string, organization: string) => `${email}, chez ${organization}.`,
  password: 'Changer le mot de passe',
  passwordHint: 'Toutes vos autres sessions seront déconnectées.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  change: 'Changer',
  changed: 'Votre mot de passe a été modifié.',
}
