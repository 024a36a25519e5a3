type Sentence = (name: string) => { fr: string; en: string }

const changes = {
  'totp-added': () => ({
    fr: 'Une application d’authentification protège désormais votre compte.',
    en: 'An authenticator app was added to your account.',
  }),
  'totp-removed': () => ({
    fr: 'L’application d’authentification de votre compte a été retirée.',
    en: 'The authenticator app of your account was removed.',
  }),
  'passkey-added': (name) => ({
    fr: `La clé d’accès « ${name} » a été ajoutée à votre compte.`,
    en: `The passkey “${name}” was added to your account.`,
  }),
  'passkey-removed': (name) => ({
    fr: `La clé d’accès « ${name} » de votre compte a été retirée.`,
    en: `The passkey “${name}” of your account was removed.`,
  }),
  'recovery-codes-renewed': () => ({
    fr: 'De nouveaux codes de secours remplacent ceux de votre compte.',
    en: 'The recovery codes of your account were replaced.',
  }),
  reset: () => ({
    fr: 'L’exploitant du service a supprimé le second facteur de votre compte : seul le mot de passe est demandé désormais.',
    en: 'The operator of the service removed the second factor of your account: only the password is needed now.',
  }),
} as const satisfies Record<string, Sentence>

export type SecondFactorNotice = keyof typeof changes

export function describeSecondFactor(change: string, name: string): { fr: string; en: string } {
  if (!Object.hasOwn(changes, change)) return { fr: `${change}.`, en: `${change}.` }
  return changes[change as SecondFactorNotice](name)
}
