import { callerOrganization } from '@einvoicing/rpc/caller'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Organization, ReplaceLegalMentionsRequest } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { describeChange, mentionsTag, missingMentions, readLegalMentions } from './legal-mentions'
import type { Writer } from './store/store'
import { toConfirmedWriter, toWriter } from './writer'
import { mentionsChanged } from '@einvoicing/domain/account-errors'

export async function getOrganization(
  { store }: Deps,
  { caller }: Pick<Call, 'caller'>,
): Promise<Organization> {
  const organizationId = callerOrganization(caller)
  const mentions = await store.findMentions(organizationId)
  if (!mentions) throw organizationGone()
  return withTag(organizationId, mentions)
}

/**
 * Throws `VALIDATION_ERROR` with every invalid mention, `PRECONDITION_FAILED` for another tag,
 * `CONFIRMATION_REQUIRED` for another RIB or ICE.
 */
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

/** Where buyers pay, and whose invoices they are. */
const guarded = ['rib', 'ice'] as const

export async function writeLegalMentions(
  { store, now }: Deps,
  { mentions: typed, expectedTag }: ReplaceLegalMentionsRequest,
  by: Writer,
): Promise<Organization> {
  if (!typed) throw new Error('no mentions to write')
  const { organizationId, actor } = by
  const mentions = readLegalMentions(typed)
  const replaced = await store.replaceMentions(by, mentions, (before) => {
    if (expectedTag !== undefined && expectedTag !== mentionsTag(before)) throw mentionsChanged()
    const detail = describeChange(before, mentions)
    return { at: now().toISOString(), actor, action: 'mentions.updated', detail }
  })
  if (!replaced) throw organizationGone()
  return withTag(organizationId, mentions)
}

function withTag(organizationId: string, mentions: LegalMentions): Organization {
  const missing = missingMentions(mentions)
  return { organizationId, mentions, missing, mentionsTag: mentionsTag(mentions) }
}

/** A session outlives its organization when the data folder was deleted. */
export function organizationGone(): ApiError {
  return new ApiError('SESSION_INVALID', 'This organization does not exist here. Sign in again.')
}
