/** Messages to the people whom a change concerns, to be stored in its commit. */

import { limits } from '@einvoicing/domain/limits'
import type { Deps } from './deps'
import type { Mail, NoticeKind } from './mail/mail'
import type { OrganizationStore } from './store/store'

export interface Concerned {
  organizationId: string
  /** Emails. */
  to?: readonly string[]
  /** All who joined as OWNER. */
  owners?: boolean
  /** Absent of the operator's commands. */
  network?: string | undefined
  device?: string | undefined
  /** What the text names besides; no secret. */
  about?: Readonly<Record<string, string>>
}

export type NoticeDeps = { mailer: Pick<Deps['mailer'], 'isOn' | 'prepare'> } & Pick<Deps, 'store'>

/**
 * For `notices` of the change's audit record; none where no mail is sent. After the commit,
 * `mailer.wake()`. How many are sent is bounded when they are sent: a change that is refused must
 * not use up the notices of a later one.
 */
export async function prepareNotices(
  { store, mailer }: NoticeDeps,
  kind: NoticeKind,
  { organizationId, to = [], owners = false, network = '', device, about }: Concerned,
): Promise<Mail[]> {
  if (!mailer.isOn) return []
  const mentions = await store.findMentions(organizationId)
  const recipients = new Set([...to, ...(owners ? await listOwners(store, organizationId) : [])])
  const named = {
    organization: mentions?.name ?? '',
    ...about,
    ...(device !== undefined && { device }),
  }
  return [...recipients].flatMap(
    (email) => mailer.prepare(kind, { to: email, network, about: named }) ?? [],
  )
}

async function listOwners(store: OrganizationStore, organizationId: string): Promise<string[]> {
  const members = await store.listMembers(organizationId)
  return members
    .filter(({ role, invitationExpiresAt }) => role === 'OWNER' && !invitationExpiresAt)
    .slice(0, limits.noticeRecipients)
    .map(({ email }) => email)
}
