import { toAuditRecord } from './audit-record'
import { prepareNotices, type NoticeDeps } from './notices'
import { describeClient, isNewClient } from './session'
import type { Deps } from './deps'
import type { Mail } from './mail/mail'
import type { AuditRecord, Session, User } from './store/store'

/** For the organization of the user, who is notified of a new device or network. */
export async function prepareSignedIn(
  deps: NoticeDeps & Pick<Deps, 'now'>,
  user: User,
  { session, factor }: { session: Session; factor?: string },
): Promise<AuditRecord & { notices: Mail[] }> {
  const { organizationId, email } = user
  const { network, device } = session
  const concerned = { organizationId, to: [email], network, device }
  const client = describeClient(session)
  const detail = factor === undefined ? client : `${client}, ${factor}`
  const isNew = isNewClient(user, session)
  const notices = isNew ? await prepareNotices(deps, 'new-device', concerned) : []
  const by = { actor: `user:${email}`, network, device }
  return { ...toAuditRecord(deps, by, { action: 'user.signed-in', detail }), notices }
}
