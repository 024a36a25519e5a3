import type { noticeTexts } from './notice-texts'

export type NoticeKind = keyof typeof noticeTexts

const linkKinds = [
  // The mailer looks up whether the address has a user: the request must not show it.
  'password-reset',
  'email-verification',
  'email-change-old',
  'email-change-new',
] as const

export type MailKind = (typeof linkKinds)[number] | 'api-key-expires' | NoticeKind

export const isLink = ({ kind }: Pick<Mail, 'kind'>): boolean =>
  linkKinds.some((link) => link === kind)

/** Sent at least once. */
export interface Mail {
  /** UUID of version 7; also the Message-ID, so that mail programs recognise a second copy. */
  id: string
  kind: MailKind
  to: string
  network: string
  createdAt: string
  about?: Readonly<Record<string, string>>
}

export interface MailQueue {
  readonly isOn: boolean
  /** Stored in the commit that causes it; then call `wake`. `undefined`: no mail is sent. */
  prepare(kind: MailKind, of: Pick<Mail, 'to' | 'network' | 'about'>): Mail | undefined
  wake(): void
  close(): Promise<void>
}

export interface DueMail extends Mail {
  attempts: number
}

/** Times are ISO 8601. */
export interface DueMails {
  now: string
  /** When given, later ones are due too: they come from a clock that was set back. */
  horizon?: string
  leaseUntil: string
  count: number
}

export const noHorizon = '9999'
