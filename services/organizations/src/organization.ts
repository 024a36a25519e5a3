/** Reading an organization, and replacing what it must print. */

import { organizationOf } from '@einvoicing/kernel/caller'
import { Refusal } from '@einvoicing/kernel/refusal'
import type { Call } from '@einvoicing/kernel/rpc'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Organization } from '@einvoicing/proto/organizations'
import type { Deps } from './deps'
import { describeChange, missingMentions, readLegalMentions } from './legal-mentions'

export async function getOrganization(
  { store }: Deps,
  { caller }: Pick<Call, 'caller'>,
): Promise<Organization> {
  const organizationId = organizationOf(caller)
  const mentions = await store.findMentions(organizationId)
  if (!mentions) throw organizationGone()
  return { organizationId, mentions, missing: missingMentions(mentions) }
}

/** Replaces all. Throws `VALIDATION_ERROR` with every mention at fault. */
export async function updateLegalMentions(
  { store, now }: Deps,
  typed: LegalMentions,
  { caller }: Pick<Call, 'caller'>,
): Promise<Organization> {
  const organizationId = organizationOf(caller)
  const mentions = readLegalMentions(typed)
  const replaced = await store.replaceMentions(organizationId, mentions, (before) => ({
    at: now().toISOString(),
    actor: caller.actor,
    action: 'mentions.updated',
    detail: describeChange(before, mentions),
  }))
  if (!replaced) throw organizationGone()
  return { organizationId, mentions, missing: missingMentions(mentions) }
}

/** A session outlives its organization where the data folder was begun anew. */
export function organizationGone(): Refusal {
  return new Refusal('SESSION_INVALID', 'This organization does not exist here. Sign in again.')
}
