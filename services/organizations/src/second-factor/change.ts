import { sessionOver } from '@einvoicing/domain/account-errors'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Deps } from '../deps'
import type { Mail } from '../mail/mail'
import type { SecondFactorNotice } from '../mail/second-factor-notices'
import { toAuditRecord } from '../audit-record'
import { findOwnSession } from '../memberships'
import { prepareNotices } from '../notices'
import type { User, Writer } from '../store/store'
import { checkWriter } from '../store/writer-check'
import { toConfirmedWriter } from '../writer'
import type { SecondFactors } from './factors'

export interface Changed {
  after: SecondFactors
  action?: string
  detail?: string
}

export interface Noticed {
  change: SecondFactorNotice
  name?: string
}

/** Throws `SESSION_INVALID`. */
export async function findOwnUser(
  { store }: Pick<Deps, 'store'>,
  userId: string,
  { caller }: Pick<Call, 'caller'>,
): Promise<User> {
  const member = await store.findMember(callerOrganization(caller), userId)
  if (!member) throw sessionOver()
  return member.user
}

/**
 * Before expensive work; `changeOwnFactors` checks again. Throws `SESSION_INVALID`,
 * `CONFIRMATION_REQUIRED`.
 */
export async function findConfirmedUser(
  deps: Deps,
  userId: string,
  { caller }: Pick<Call, 'caller'>,
): Promise<User> {
  const by = toConfirmedWriter(deps, caller, 'READ_ONLY')
  const { user, session } = await findOwnSession(deps, userId, { caller })
  checkWriter(by, { user, session })
  return user
}

/** Throws `CONFIRMATION_REQUIRED`, and what `change` throws. */
export async function changeOwnFactors(
  deps: Deps,
  { user, caller, noticed }: { user: User; noticed?: Noticed } & Pick<Call, 'caller'>,
  change: (before: SecondFactors) => Changed,
): Promise<void> {
  const { store, mailer } = deps
  const by = toConfirmedWriter(deps, caller, 'READ_ONLY')
  const { email } = user
  const notices = noticed ? await prepare(deps, by, { email, noticed }) : []
  const isChanged = await store.changeSecondFactors(by, user.id, (before) => {
    const { after, action, detail = email } = change(before)
    if (action === undefined) return { after, audits: [] }
    return { after, audits: [toAuditRecord(deps, by, { action, detail, notices })] }
  })
  if (!isChanged) throw sessionOver()
  mailer.wake()
}

function prepare(
  deps: Deps,
  { organizationId, network, device }: Writer,
  { email, noticed }: { email: string; noticed: Noticed },
): Promise<Mail[]> {
  const concerned = { organizationId, to: [email], network, device, about: { ...noticed } }
  return prepareNotices(deps, 'second-factor-changed', concerned)
}
