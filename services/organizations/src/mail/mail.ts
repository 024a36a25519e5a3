import type { noticeTexts } from './notice-texts'

/** About a change that is done. */
export type NoticeKind = keyof typeof noticeTexts

export type MailKind =
  /** Whether the address has a user is looked up when it is sent: the request must not show it. */
  | 'password-reset'
  | 'email-verification'
  | 'email-change-old'
  | 'email-change-new'
  | 'api-key-expires'
  | NoticeKind

/** A message that waits to be sent. Sent at least once. */
export interface Mail {
  /** UUID of version 7; also the Message-ID, so that a second copy is seen to be one. */
  id: string
  kind: MailKind
  /** Normalised. */
  to: string
  /** Of the client that caused it; see `clientNetwork`. */
  network: string
  /** ISO 8601. */
  createdAt: string
  /** What the text names besides. */
  about?: Readonly<Record<string, string>>
}

/** What the rules need of the sender. */
export interface MailQueue {
  /** Whether messages are sent at all. */
  readonly isOn: boolean
  /** To be stored with the change that causes it, before `wake`. `undefined`: no mail is sent. */
  prepare(kind: MailKind, of: Pick<Mail, 'to' | 'network' | 'about'>): Mail | undefined
  wake(): void
  close(): Promise<void>
}

export interface DueMail extends Mail {
  /** That failed. */
  attempts: number
}
