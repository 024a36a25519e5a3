import type { Deps } from './deps'
import type { Mail, NoticeKind } from './mail/mail'
import { listOwnersToNotify } from './owners'

export interface Concerned {
  organizationId: string
  to?: readonly string[]
  /** What is notified verifies the address in `to`. */
  isProven?: boolean
  /** All users who joined as OWNER. */
  owners?: boolean
  /** Absent for commands of the operator. */
  network?: string | undefined
  device?: string | undefined
  /** More values for the text; no secrets. */
  about?: Readonly<Record<string, string>>
}

export type NoticeDeps = { mailer: Pick<Deps['mailer'], 'isOn' | 'prepare'> } & Pick<Deps, 'store'>

/**
 * None for an address that its user has not verified: an owner may have invited a stranger.
 * Call `mailer.wake()` after the commit. Limits are counted by the mailer, when it sends.
 */
export async function prepareNotices(
  { store, mailer }: NoticeDeps,
  kind: NoticeKind,
  concerned: Concerned,
): Promise<Mail[]> {
  if (!mailer.isOn) return []
  const { organizationId, to = [], isProven = false, owners = false } = concerned
  const { network = '', device, about } = concerned
  const mentions = await store.findMentions(organizationId)
  const joined = owners ? await listOwnersToNotify(store, organizationId) : []
  const users = isProven ? [] : await Promise.all(to.map((email) => store.findUser(email)))
  const verified = to.filter((_, index) => users[index]?.unverifiedSince === undefined)
  const recipients = new Set([...verified, ...joined])
  const named = {
    organization: mentions?.name ?? '',
    ...about,
    ...(device !== undefined && { device }),
  }
  return [...recipients].flatMap(
    (email) => mailer.prepare(kind, { to: email, network, about: named }) ?? [],
  )
}
