// French and English in one message: the language of an address is unknown.

import { escapeHtml } from '@einvoicing/domain/html-text'
import type { MailKind, NoticeKind } from './mail'
import { ifNotYou, isNoticeKind, noticeTexts, type NoticeText } from './notice-texts'

export interface MailValues {
  link?: string
  network: string
  at: string
  about?: Readonly<Record<string, string>> | undefined
  /** Further notices of the kind are not sent in this hour. */
  isLastOfHour?: boolean
}

export interface MailText {
  subject: string
  text: string
  html: string
}

interface Texts {
  subject: string
  fr: string[]
  en: string[]
}

type OtherKind = Exclude<MailKind, NoticeKind>

const texts: Readonly<Record<OtherKind, (values: MailValues) => Texts>> = {
  'password-reset': ({ link = '', network, about: { owner = '', organization = '' } = {} }) => ({
    subject: 'Nouveau mot de passe / Reset your password',
    fr: [
      owner === ''
        ? `Un nouveau mot de passe a été demandé pour votre compte depuis le réseau ${network}.`
        : `${owner}, propriétaire de ${organization}, vous envoie un lien pour choisir un nouveau mot de passe (depuis le réseau ${network}).`,
      `Pour le choisir, ouvrez ce lien dans les 30 minutes ; il ne sert qu’une fois :`,
      link,
      'Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
    ],
    en: [
      owner === ''
        ? `A new password was requested for your account from the network ${network}.`
        : `${owner}, an owner of ${organization}, has sent you a link to choose a new password (from the network ${network}).`,
      `To choose it, open this link within 30 minutes; it works once:`,
      link,
      'If you did not request it, ignore this message: your password stays as it is.',
    ],
  }),
  'email-verification': ({ link = '', network }) => ({
    subject: 'Confirmez votre adresse e-mail / Verify your email address',
    fr: [
      `Un compte a été créé avec cette adresse, depuis le réseau ${network}. Si c’était vous, ouvrez ce lien dans les 24 heures ; il ne sert qu’une fois :`,
      link,
      'Si ce n’était pas vous, ignorez ce message : sans confirmation, le compte est supprimé après 48 heures.',
    ],
    en: [
      `An account was created with this address, from the network ${network}. If this was you, open this link within 24 hours; it works once:`,
      link,
      'If it was not you, ignore this message: without verification the account is removed after 48 hours.',
    ],
  }),
  'email-change-old': ({ link = '', network, about: { to = '' } = {} }) => ({
    subject: 'Confirmez le changement d’adresse e-mail / Confirm the change of your email address',
    fr: [
      `Depuis le réseau ${network}, le changement de l’adresse de votre compte en ${to} a été demandé. Pour l’accepter, ouvrez ce lien dans les 24 heures ; il ne sert qu’une fois. Le lien envoyé à la nouvelle adresse est nécessaire aussi :`,
      link,
      'Si ce n’était pas vous, n’ouvrez pas ce lien : sans lui, rien ne change. Changez votre mot de passe : la demande est alors annulée.',
    ],
    en: [
      `From the network ${network}, a change of your account’s address to ${to} was requested. To accept, open this link within 24 hours; it works once. The link sent to the new address is needed too:`,
      link,
      'If this was not you, do not open this link: without it nothing changes. Change your password: the request is then cancelled.',
    ],
  }),
  'email-change-new': ({ link = '', network, about: { taken } = {} }) => ({
    subject: 'Confirmez votre nouvelle adresse e-mail / Confirm your new email address',
    fr:
      taken === undefined
        ? [
            `${frFrom(network)} demande à utiliser cette adresse. Si c’était vous, ouvrez ce lien dans les 24 heures ; il ne sert qu’une fois. Sauf si l’exploitant l’a confirmé, le lien envoyé à l’ancienne adresse est nécessaire aussi :`,
            link,
            'Si ce n’était pas vous, ignorez ce message : rien ne change.',
          ]
        : [
            `${frFrom(network)} demande à utiliser cette adresse, qui a déjà un compte : la demande ne peut pas aboutir. Si c’était vous, connectez-vous avec cette adresse, ou choisissez-en une autre.`,
            'Si ce n’était pas vous, ignorez ce message : rien ne change.',
          ],
    en:
      taken === undefined
        ? [
            `${enFrom(network)} asks to use this address. If this was you, open this link within 24 hours; it works once. Unless the operator confirmed it, the link sent to the old address is needed too:`,
            link,
            'If it was not you, ignore this message: nothing changes.',
          ]
        : [
            `${enFrom(network)} asks to use this address, which already has an account: the request cannot succeed. If this was you, sign in with this address, or choose another one.`,
            'If it was not you, ignore this message: nothing changes.',
          ],
  }),
  'api-key-expires': ({
    about: { name = '', last4 = '', expiresAt = '', organization = '' } = {},
  }) => ({
    subject: 'Une clé d’API va expirer / An API key is about to expire',
    fr: [
      `La clé d’API « ${name} » (…${last4}) de ${organization} expire le ${toMoroccanTime(expiresAt, 'fr-MA')}. Les requêtes faites avec cette clé seront alors rejetées.`,
      'Renouvelez-la dans le tableau de bord, sous « Clés d’API » : l’ancienne fonctionne encore sept jours, mais jamais après son expiration.',
    ],
    en: [
      `The API key “${name}” (…${last4}) of ${organization} expires on ${toMoroccanTime(expiresAt, 'en-GB')}. Requests with it will then be rejected.`,
      'Rotate it in the dashboard, under “API keys”: the old one keeps working for seven days, but never after it expires.',
    ],
  }),
}

export function composeMail(kind: MailKind, values: MailValues): MailText {
  const { subject, fr, en } = isNoticeKind(kind)
    ? composeNotice(noticeTexts[kind](values.about ?? {}), values)
    : texts[kind](values)
  const [french, english] = [
    ['Bonjour,', ...fr],
    ['Hello,', ...en],
  ] as const
  return {
    subject,
    text: [...french, '— — —', ...english].join('\n\n') + '\n',
    html: `<!doctype html><html lang="fr"><body style="font-family:sans-serif;line-height:1.5;max-width:36em">${toHtml(french, values)}<hr><div lang="en">${toHtml(english, values)}</div></body></html>`,
  }
}

function composeNotice(notice: NoticeText, values: MailValues): Texts {
  const { network, at, isLastOfHour, about: { device = '' } = {} } = values
  const frFrom = `Le ${toMoroccanTime(at, 'fr-MA')}${network && `, depuis le réseau ${network}`}${device && ` (${device})`}.`
  const enFrom = `On ${toMoroccanTime(at, 'en-GB')}${network && `, from the network ${network}`}${device && ` (${device})`}.`
  const { fr, en } = ifNotYou[notice.ifNotYou]
  return {
    subject: notice.subject,
    fr: [notice.fr, frFrom, fr, ...(isLastOfHour ? [furtherHeld.fr] : [])],
    en: [notice.en, enFrom, en, ...(isLastOfHour ? [furtherHeld.en] : [])],
  }
}

// Commands of the operator have no network.
const frFrom = (network: string) =>
  network ? `Depuis le réseau ${network}, un compte` : 'Un compte'
const enFrom = (network: string) =>
  network ? `From the network ${network}, an account` : 'An account'

const furtherHeld = {
  fr: 'Il y a eu beaucoup de messages de ce genre : les suivants ne sont plus envoyés pendant l’heure, et se trouvent dans le journal.',
  en: 'There were many messages of this kind: further ones are not sent within this hour, and are in the audit log.',
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
