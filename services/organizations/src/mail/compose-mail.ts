// French and English in one message: an address has no language.

import { escapeHtml } from '@einvoicing/domain/html-text'
import type { MailKind } from './mail'

export interface MailValues {
  /** An absolute URL. */
  link?: string
  network: string
  /** ISO 8601. */
  at: string
  about?: Readonly<Record<string, string>> | undefined
}

export interface MailText {
  subject: string
  text: string
  html: string
}

type Paragraphs = (values: MailValues) => { fr: string[]; en: string[] }

const subjects: Readonly<Record<MailKind, string>> = {
  'password-reset': 'Nouveau mot de passe / Reset your password',
  'api-key-expires': 'Une clé d’API va expirer / An API key is about to expire',
  'password-changed': 'Votre mot de passe a été modifié / Your password was changed',
}

const texts: Readonly<Record<MailKind, Paragraphs>> = {
  'password-reset': ({ link = '', network }) => ({
    fr: [
      'Bonjour,',
      `Un nouveau mot de passe a été demandé pour votre compte depuis le réseau ${network}. Pour le choisir, ouvrez ce lien dans les 30 minutes ; il ne sert qu’une fois :`,
      link,
      'Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
    ],
    en: [
      'Hello,',
      `A new password was requested for your account from the network ${network}. To choose it, open this link within 30 minutes; it works once:`,
      link,
      'If you did not request it, ignore this message: your password stays as it is.',
    ],
  }),
  'password-changed': ({ network, at }) => ({
    fr: [
      'Bonjour,',
      `Le mot de passe de votre compte a été modifié le ${toMoroccanTime(at, 'fr-MA')} depuis le réseau ${network}. Toutes les autres sessions ont pris fin.`,
      'Si ce n’était pas vous, demandez un nouveau mot de passe sur la page de connexion et prévenez le propriétaire de votre organisation.',
    ],
    en: [
      'Hello,',
      `The password of your account was changed on ${toMoroccanTime(at, 'en-GB')} from the network ${network}. All other sessions have ended.`,
      'If this was not you, request a new password on the sign-in page and inform the owner of your organization.',
    ],
  }),
  'api-key-expires': ({
    about: { name = '', last4 = '', expiresAt = '', organization = '' } = {},
  }) => ({
    fr: [
      'Bonjour,',
      `La clé d’API « ${name} » (…${last4}) de ${organization} expire le ${toMoroccanTime(expiresAt, 'fr-MA')}. Les logiciels qui l’utilisent encore s’arrêteront alors.`,
      'Renouvelez-la dans le tableau de bord, sous « Clés d’API » : l’ancienne et la nouvelle fonctionnent ensemble jusqu’à cette date.',
    ],
    en: [
      'Hello,',
      `The API key “${name}” (…${last4}) of ${organization} expires on ${toMoroccanTime(expiresAt, 'en-GB')}. Software that still uses it will then stop working.`,
      'Rotate it in the dashboard, under “API keys”: the old and the new one work together until that date.',
    ],
  }),
}

export function composeMail(kind: MailKind, values: MailValues): MailText {
  const { fr, en } = texts[kind](values)
  return {
    subject: subjects[kind],
    text: [...fr, '— — —', ...en].join('\n\n') + '\n',
    html: `<!doctype html><html lang="fr"><body style="font-family:sans-serif;line-height:1.5;max-width:36em">${toHtml(fr, values)}<hr><div lang="en">${toHtml(en, values)}</div></body></html>`,
  }
}

function toHtml(paragraphs: readonly string[], { link }: MailValues): string {
  return paragraphs
    .map((text) => {
      const escaped = escapeHtml(text)
      return text === link ? `<p><a href="${escaped}">${escaped}</a></p>` : `<p>${escaped}</p>`
    })
    .join('')
}

function toMoroccanTime(at: string, locale: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Casablanca' } as const
  return new Intl.DateTimeFormat(locale, options).format(new Date(at))
}
