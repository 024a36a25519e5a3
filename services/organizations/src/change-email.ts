/** Both addresses confirm: neither a stolen session nor a typing error moves an account. */

import { emailTaken, sessionOver } from '@einvoicing/domain/account-errors'
import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { ChangeEmailRequest, EmailState, UserId } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import { describeEmailChange } from './confirm-email-change'
import type { ByCaller, Deps } from './deps'
import { findEmailError, normaliseEmail } from './email'
import type { Mail } from './mail/mail'
import { findOwnSession } from './memberships'
import type { EmailChange, Side } from './store/email-changes'
import type { User, Writer } from './store/store'
import { checkWriter } from './store/writer-check'
import { checkFieldErrors } from './text-rules'
import { toConfirmedWriter, toWriter } from './writer'

export async function getEmail(
  deps: Deps,
  { userId }: UserId,
  { caller }: ByCaller,
): Promise<EmailState> {
  const { user } = await findOwnSession(deps, userId, { caller })
  const change = await deps.store.findEmailChange(userId)
  const isOpen = change !== undefined && change.expiresAt > deps.now().toISOString()
  return { email: user.email, pending: isOpen ? toPending(change) : undefined }
}

/**
 * Neither the answer nor its time shows whether the new address has a user, where links are sent.
 * Throws `CONFIRMATION_REQUIRED`, `VALIDATION_ERROR`, `TOO_MANY_ATTEMPTS`, and `EMAIL_TAKEN` where
 * none are.
 */
export async function changeEmail(
  deps: Deps,
  { userId, email: typed, clientAddress }: ChangeEmailRequest,
  { caller }: ByCaller,
): Promise<EmailState> {
  const to = normaliseEmail(typed)
  checkFieldErrors({ email: findEmailError(to) })
  const by = toConfirmedWriter(deps, caller, 'READ_ONLY')
  const { user, session } = await findOwnSession(deps, userId, { caller })
  // Before it is counted: the page sends the same request again after the proof.
  checkWriter(by, { user, session })
  if (to === user.email) throw createValidationError([{ field: 'email', message: sameEmail }])
  for (const key of [userId, to]) await deps.emailChangeGuard(key)
  if (!deps.verifiesEmail) return changeAtOnce(deps, by, { user, to, clientAddress })
  const change = newEmailChange(deps, user, to)
  const network = clientNetwork(clientAddress)
  const isAdded = await deps.store.addEmailChange(
    by,
    change,
    toAuditRecord(deps, caller, {
      action: 'email.change-requested',
      detail: `${change.from} → ${to}`,
      notices: prepareLinks(deps, change, { sides: ['old', 'new'], network }),
    }),
  )
  if (!isAdded) throw sessionOver()
  deps.mailer.wake()
  return { email: user.email, pending: toPending(change) }
}

const sameEmail = 'is already your address: enter another one'

export async function cancelEmailChange(
  deps: Deps,
  { userId }: UserId,
  { caller }: ByCaller,
): Promise<EmailState> {
  const by = toWriter(deps, caller, 'READ_ONLY')
  const { user } = await findOwnSession(deps, userId, { caller })
  const act = { action: 'email.change-cancelled', detail: user.email }
  await deps.store.cancelEmailChange(by, userId, toAuditRecord(deps, caller, act))
  return { email: user.email, pending: undefined }
}

async function changeAtOnce(
  deps: Deps,
  by: Writer,
  { user, to, clientAddress }: { user: User; to: string; clientAddress: string },
): Promise<EmailState> {
  const emailWasFree = await deps.emailTakenGuard(clientAddress)
  const change = { userId: user.id, from: user.email, to }
  const audit = toAuditRecord(deps, by, await describeEmailChange(deps, by, change))
  const outcome = await deps.store.changeEmail(by, change, audit)
  if (outcome === 'gone') throw sessionOver()
  if (outcome === 'email-taken') throw emailTaken('Give another email.')
  await emailWasFree()
  deps.mailer.wake()
  return { email: to, pending: undefined }
}

export function newEmailChange(
  { newId, now }: Pick<Deps, 'newId' | 'now'>,
  { id: userId, organizationId, email: from, passwordVersion }: User,
  to: string,
): EmailChange {
  const expiresAt = new Date(now().getTime() + limits.emailLinkLifetimeMs).toISOString()
  const of = { id: newId(), userId, organizationId, from, to, passwordVersion }
  return { ...of, confirmed: [], expiresAt }
}

/** Their tokens are made when they are sent. */
export function prepareLinks(
  { mailer }: { mailer: Pick<Deps['mailer'], 'prepare'> },
  { id: change, userId: user, from, to }: EmailChange,
  { sides, network }: { sides: readonly Side[]; network: string },
): Mail[] {
  return sides.flatMap((side) => {
    const about = { user, change, ...(side === 'old' && { to }) }
    const address = side === 'old' ? from : to
    return mailer.prepare(`email-change-${side}`, { to: address, network, about }) ?? []
  })
}

function toPending({ from, to, confirmed, expiresAt }: EmailChange) {
  const addresses = { old: from, new: to }
  const open = (['old', 'new'] as const).filter((side) => !confirmed.includes(side))
  return { email: to, unconfirmed: open.map((side) => addresses[side]), expiresAt }
}
