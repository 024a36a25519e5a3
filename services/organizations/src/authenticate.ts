/**
 * Every request of the public interface begins here: whom an API key speaks for.
 *
 * A revoked key is refused from the very next request, in the words that refuse an unknown one.
 */

import { apiKeyInvalid } from '@einvoicing/kernel/api-key'
import type { AuthenticateRequest, Authentication } from '@einvoicing/proto/organizations'
import { keptDigest } from './api-key'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'

export async function authenticate(
  { store, pepper, lastUses, now }: Deps,
  { keySha256 }: AuthenticateRequest,
): Promise<Authentication> {
  const holder = await store.findHolder(keptDigest(keySha256, await pepper()))
  if (!holder) throw apiKeyInvalid()
  lastUses.note(holder.apiKeyId, now())
  return { ...holder, missing: missingMentions(holder.mentions) }
}
