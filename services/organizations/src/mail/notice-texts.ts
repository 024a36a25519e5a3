// One sentence per language; date, network and device are added to each. No text names a secret.

import { roleNames } from '@einvoicing/domain/status-names'
import { describeSecondFactor } from './second-factor-notices'

export interface NoticeText {
  subject: string
  fr: string
  en: string
  ifNotYou: 'user' | 'unrequested' | 'account' | 'owner' | 'operator'
}

type About = Readonly<Record<string, string>>

const nameRole = (language: 'fr' | 'en', role = '') =>
  (roleNames[language] as Readonly<Record<string, string>>)[role] ?? role

export const noticeTexts = {
  'new-device': () => ({
    subject: 'Connexion depuis un nouvel appareil / Sign-in from a new device',
    fr: 'Votre compte a servi à une connexion depuis un appareil ou un réseau qu’il n’avait jamais utilisé.',
    en: 'Your account was used to sign in from a device or network that it never used before.',
    ifNotYou: 'user',
  }),
  'password-changed': () => ({
    subject: 'Votre mot de passe a été modifié / Your password was changed',
    fr: 'Le mot de passe de votre compte a été modifié. Toutes les autres sessions ont pris fin.',
    en: 'The password of your account was changed. All other sessions have ended.',
    ifNotYou: 'user',
  }),
  'recovery-used': ({ means = 'link' }) => ({
    subject: 'Accès à votre compte récupéré / Your account was recovered',
    fr:
      means === 'code'
        ? 'Un code de secours a servi à se connecter à votre compte. Il n’est plus valable.'
        : 'Le mot de passe de votre compte a été modifié à l’aide d’un lien de réinitialisation. Toutes les sessions ont pris fin.',
    en:
      means === 'code'
        ? 'A recovery code was used to sign in to your account. It no longer works.'
        : 'The password of your account was changed by a password reset link. All sessions have ended.',
    ifNotYou: 'user',
  }),
  'email-changed': ({ from = '', to = '' }) => ({
    subject: 'Votre adresse e-mail a été modifiée / Your email address was changed',
    fr: `L’adresse e-mail de votre compte est passée de ${from} à ${to}.`,
    en: `The email address of your account was changed from ${from} to ${to}.`,
    ifNotYou: 'account',
  }),
  'email-change-begun': ({ from = '', to = '' }) => ({
    subject: 'Changement de votre adresse e-mail / Change of your email address',
    fr: `L’exploitant de ce service a préparé le passage de votre compte de ${from} à ${to}. Il prend effet quand le lien envoyé à la nouvelle adresse est ouvert.`,
    en: `The operator of this service prepared the move of your account from ${from} to ${to}. It takes effect when the link sent to the new address is opened.`,
    ifNotYou: 'unrequested',
  }),
  'second-factor-changed': ({ change = '', name = '' }) => ({
    subject: 'Votre second facteur a été modifié / Your second factor was changed',
    ...describeSecondFactor(change, name),
    ifNotYou: 'user',
  }),
  'role-changed': ({ email = '', from, to, organization = '' }) => ({
    subject: 'Un rôle a été modifié / A role was changed',
    fr: `Dans ${organization}, le rôle de ${email} est passé de ${nameRole('fr', from)} à ${nameRole('fr', to)}.`,
    en: `In ${organization}, the role of ${email} was changed from ${nameRole('en', from)} to ${nameRole('en', to)}.`,
    ifNotYou: 'owner',
  }),
  'member-added': ({ email = '', role, organization = '' }) => ({
    subject: 'Un membre a rejoint votre organisation / A member joined your organization',
    fr: `${email} est désormais membre de ${organization}, avec le rôle ${nameRole('fr', role)}.`,
    en: `${email} is now a member of ${organization}, with the role ${nameRole('en', role)}.`,
    ifNotYou: 'owner',
  }),
  'owner-invited': ({ email = '', organization = '' }) => ({
    subject: 'Un propriétaire est invité / An owner was invited',
    fr: `L’exploitant de ce service a invité ${email} à rejoindre ${organization} comme ${nameRole('fr', 'OWNER')}.`,
    en: `The operator of this service invited ${email} to join ${organization} as ${nameRole('en', 'OWNER')}.`,
    ifNotYou: 'operator',
  }),
  'member-removed': ({ email = '', organization = '' }) => ({
    subject: 'Un membre a été retiré / A member was removed',
    fr: `${email} n’est plus membre de ${organization}. Ses sessions dans cette organisation ont pris fin.`,
    en: `${email} is no longer a member of ${organization}. Their sessions in this organization have ended.`,
    ifNotYou: 'owner',
  }),
  'member-left': ({ email = '', organization = '' }) => ({
    subject: 'Un membre a quitté votre organisation / A member left your organization',
    fr: `${email} a quitté ${organization}. Ses sessions dans cette organisation ont pris fin.`,
    en: `${email} left ${organization}. Their sessions in this organization have ended.`,
    ifNotYou: 'owner',
  }),
  'api-key-created': ({ name = '', last4 = '', organization = '' }) => ({
    subject: 'Une clé d’API a été créée / An API key was created',
    fr: `La clé d’API « ${name} » (…${last4}) de ${organization} a été créée.`,
    en: `The API key “${name}” (…${last4}) of ${organization} was created.`,
    ifNotYou: 'owner',
  }),
  'api-key-revoked': ({ name = '', last4 = '', organization = '' }) => ({
    subject: 'Une clé d’API a été révoquée / An API key was revoked',
    fr: `La clé d’API « ${name} » (…${last4}) de ${organization} a été révoquée. Les requêtes faites avec cette clé sont désormais rejetées.`,
    en: `The API key “${name}” (…${last4}) of ${organization} was revoked. Requests with it are now rejected.`,
    ifNotYou: 'owner',
  }),
  'rib-changed': ({ last4 = '', organization = '' }) => ({
    subject: 'Le RIB de votre organisation a été modifié / Your bank account was changed',
    fr:
      last4 === ''
        ? `Le RIB de ${organization} a été retiré : les prochaines factures ne portent plus de compte bancaire.`
        : `Le RIB de ${organization} a été modifié : les prochaines factures demandent un paiement sur le compte qui se termine par ${last4}.`,
    en:
      last4 === ''
        ? `The bank account (RIB) of ${organization} was removed: the next invoices name none.`
        : `The bank account (RIB) of ${organization} was changed: the next invoices ask for payment to the account that ends in ${last4}.`,
    ifNotYou: 'owner',
  }),
  'organization-approved': ({ organization = '', ice = '' }) => ({
    subject: 'Votre organisation est approuvée / Your organization was approved',
    fr: `${organization} (ICE ${ice}) est approuvée : elle peut signer des factures dès maintenant.`,
    en: `${organization} (ICE ${ice}) was approved: it can sign invoices from now on.`,
    ifNotYou: 'operator',
  }),
  'organization-suspended': ({ organization = '', reason = '' }) => ({
    subject: 'Votre organisation est suspendue / Your organization was suspended',
    fr: `${organization} est suspendue : elle ne peut plus signer de facture. La consultation et l’export restent possibles. Motif : ${reason}`,
    en: `${organization} was suspended: it can no longer sign invoices. Reading and exporting remain possible. Reason: ${reason}`,
    ifNotYou: 'operator',
  }),
  'organization-changed': ({ organization = '', change = '' }) => ({
    subject: 'Votre organisation a été modifiée / Your organization was changed',
    fr: `L’exploitant de ce service a modifié le nom ou l’ICE de ${organization} : ${change}`,
    en: `The operator of this service changed the name or ICE of ${organization}: ${change}`,
    ifNotYou: 'operator',
  }),
} as const satisfies Record<string, (about: About) => NoticeText>

export const isNoticeKind = (kind: string): kind is keyof typeof noticeTexts =>
  Object.hasOwn(noticeTexts, kind)

export const ifNotYou: Record<NoticeText['ifNotYou'], { fr: string; en: string }> = {
  user: {
    fr: 'Si ce n’était pas vous, demandez un nouveau mot de passe sur la page de connexion (« Mot de passe oublié ? ») : toutes les sessions prennent fin. Prévenez ensuite le propriétaire de votre organisation.',
    en: 'If this was not you, request a new password on the sign-in page (“Forgot your password?”): all sessions then end. Then inform the owner of your organization.',
  },
  unrequested: {
    fr: 'Si vous n’avez pas demandé ce changement, demandez un nouveau mot de passe sur la page de connexion (« Mot de passe oublié ? ») : toutes les sessions prennent fin. Prévenez ensuite l’exploitant de ce service.',
    en: 'If you did not request this change, request a new password on the sign-in page (“Forgot your password?”): all sessions then end. Then inform the operator of this service.',
  },
  account: {
    fr: 'Si ce n’était pas vous, prévenez sans attendre le propriétaire de votre organisation, qui peut retirer ce membre, et l’exploitant de ce service.',
    en: 'If this was not you, inform the owner of your organization at once, who can remove this member, and the operator of this service.',
  },
  owner: {
    fr: 'Si vous ne l’attendiez pas, ouvrez le journal dans le tableau de bord pour voir qui l’a fait, mettez fin aux sessions de ce membre et annulez le changement.',
    en: 'If you did not expect this, open the audit log in the dashboard to see who did it, end the sessions of that member, and undo the change.',
  },
  operator: {
    fr: 'Pour toute question, écrivez à l’exploitant de ce service.',
    en: 'If you have a question, write to the operator of this service.',
  },
}
