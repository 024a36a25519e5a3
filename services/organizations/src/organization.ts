import { callerOrganization } from '@einvoicing/rpc/caller'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { Organization, ReplaceLegalMentionsRequest } from '@einvoicing/proto/organizations'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { rejectFrozen, toUnapproved } from './approval'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import type { Mail } from './mail/mail'
import { prepareNotices } from './notices'
import {
  describeMentionsChange,
  mentionsTag,
  missingMentions,
  readLegalMentions,
} from './legal-mentions'
import type { StoredApproval, StoredOrganization, Writer } from './store/store'
import { toConfirmedWriter, toWriter } from './writer'
import { mentionsChanged } from '@einvoicing/domain/account-errors'

export async function getOrganization(
  { store }: Deps,
  { caller }: Pick<Call, 'caller'>,
): Promise<Organization> {
  const organizationId = callerOrganization(caller)
  const found = await store.findOrganization(organizationId)
  if (!found) throw organizationGone()
  return withTag(found)
}

/** Throws `VALIDATION_ERROR`, `PRECONDITION_FAILED`, and `CONFIRMATION_REQUIRED` for `guarded`. */
export async function replaceLegalMentions(
  deps: Deps,
  request: ReplaceLegalMentionsRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<Organization> {
  const before = await deps.store.findMentions(callerOrganization(caller))
  const isGuarded = guarded.some((name) => before?.[name] !== request.mentions?.[name].trim())
  const by = (isGuarded ? toConfirmedWriter : toWriter)(deps, caller, 'OWNER')
  return writeLegalMentions(deps, request, by)
}

const guarded = ['rib', 'ice'] as const

export async function writeLegalMentions(
  deps: Deps,
  { mentions: typed, expectedTag, hasSigned = false }: ReplaceLegalMentionsRequest,
  by: Writer,
): Promise<Organization> {
  if (!typed) throw new Error('no mentions to write')
  const { store, mailer, signUp } = deps
  const { organizationId } = by
  const mentions = readLegalMentions(typed)
  const notices = await noticesOfRib(deps, by, mentions.rib)
  const change = { mentions, isIceChecked: signUp !== 'open' }
  let approval: StoredApproval
  const replaced = await store.replaceMentions(by, change, (before, decided) => {
    approval = decided
    rejectFrozen(before, mentions, { approval, hasSigned })
    if (expectedTag !== undefined && expectedTag !== mentionsTag(before)) throw mentionsChanged()
    const detail = describeMentionsChange(before, mentions)
    // The demo has no session and no user to inform.
    const isNewRib = before.rib !== mentions.rib && by.session !== undefined
    const act = { action: 'mentions.updated', detail, notices: isNewRib ? notices : [] }
    return toAuditRecord(deps, by, act)
  })
  if (!replaced) throw organizationGone()
  if (replaced === 'ice-taken') throw iceTaken()
  mailer.wake()
  return withTag({ id: organizationId, mentions, approval })
}

/** Shows the last digits of the RIB only. */
function noticesOfRib(
  deps: Deps,
  { organizationId, network, device }: Writer,
  rib: string,
): Promise<Mail[]> {
  const concerned = { organizationId, owners: true, network, device }
  return prepareNotices(deps, 'rib-changed', { ...concerned, about: { last4: rib.slice(-4) } })
}

function withTag({
  id: organizationId,
  mentions,
  approval,
}: Pick<StoredOrganization, 'id' | 'mentions' | 'approval'>): Organization {
  const missing = missingMentions(mentions)
  const tagged = { mentions, missing, mentionsTag: mentionsTag(mentions) }
  return { organizationId, ...tagged, ...toUnapproved(approval) }
}

function iceTaken(): ApiError {
  const message = 'belongs to another approved organization: contact the operator of this service'
  return createValidationError([{ field: 'ice', message }])
}

/** A session can outlive its organization when the data folder is deleted. */
export function organizationGone(): ApiError {
  return new ApiError('SESSION_INVALID', 'This organization no longer exists. Sign in again.')
}
