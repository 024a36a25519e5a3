import { limits } from '@einvoicing/domain/limits'
import type { Deps } from './deps'
import type { Mail, NoticeKind } from './mail/mail'
import { listOwners } from './owners'

export interface Concerned {
  organizationId: string
  to?: readonly string[]
  /** All users who joined as OWNER. */
  owners?: boolean
  /** Absent for commands of the operator. */
  network?: string | undefined
  device?: string | undefined
  /** More values for the text; no secrets. */
  about?: Readonly<Record<string, string>>
}

export type NoticeDeps = { mailer: Pick<Deps['mailer'], 'isOn' | 'prepare'> } & Pick<Deps, 'store'>

/** Call `mailer.wake()` after the commit. Limits are counted by the mailer, when it sends. */
export async function prepareNotices(
  { store, mailer }: NoticeDeps,
  kind: NoticeKind,
  { organizationId, to = [], owners = false, network = '', device, about }: Concerned,
): Promise<Mail[]> {
  if (!mailer.isOn) return []
  const mentions = await store.findMentions(organizationId)
  const joined = owners ? await listOwners(store, organizationId, limits.noticeRecipients) : []
  const recipients = new Set([...to, ...joined])
  const named = {
    organization: mentions?.name ?? '',
    ...about,
    ...(device !== undefined && { device }),
  }
  return [...recipients].flatMap(
    (email) => mailer.prepare(kind, { to: email, network, about: named }) ?? [],
  )
}
