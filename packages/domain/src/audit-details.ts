import { roleNames } from './status-names'

type Language = 'fr' | 'en'
type Rewrite = readonly [RegExp, (language: Language, ...found: string[]) => string]

const role: Rewrite = [
  /(?<=^|: |, |→ )(OWNER|MEMBER|ACCOUNTANT|READ_ONLY)(?= →|,|$)/g,
  (language, name = '') => (roleNames[language] as Record<string, string>)[name] ?? name,
]

const inFrench =
  (french: string): Rewrite[1] =>
  (language, found = '') =>
    language === 'fr' ? french : found

// An address or a name that a user typed is not translated.
const rewrites: Readonly<Record<string, readonly Rewrite[]>> = {
  'member.invited': [role],
  'member.joined': [role],
  'member.role-changed': [role],
  'member.removed': [role, [/(?<=, )invited$/g, inFrench('invitation en attente')]],
  'password.reset-offered': [[/(?<=, )requested from(?= \S+$)/g, inFrench('demandé depuis')]],
  'user.signed-in': [
    [/(?<=, )recovery code$/, inFrench('code de secours')],
    [/(?<=, )passkey$/, inFrench('clé d’accès')],
  ],
  'user.confirmed': [[/(?<=, )passkey$/, inFrench('clé d’accès')]],
  'second-factor.recovery-code-used': [
    [
      /(?<=: )(\d+) left$/,
      (language, found = '') => (language === 'fr' ? `reste ${parseInt(found)}` : found),
    ],
  ],
  'user.switched': [
    [/^entered$/, inFrench('entrée')],
    [/^left$/, inFrench('sortie')],
  ],
  'session.ended': [
    [/^all others$/, inFrench('toutes les autres')],
    [/(?<=: )all$/, inFrench('toutes')],
  ],
  'user.sign-in-failed': [
    [/(?<=\d )from other networks$/g, inFrench('depuis d’autres réseaux')],
    [/(?<=\d )from(?= )/g, inFrench('depuis')],
  ],
}

export function translateAuditDetail(action: string, detail: string, language: Language): string {
  return (rewrites[action] ?? []).reduce(
    (text, [pattern, rewrite]) => text.replace(pattern, (found) => rewrite(language, found)),
    detail,
  )
}
