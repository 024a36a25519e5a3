/** A revoked key is rejected from the next request on, with the message for an unknown one. */

import { apiKeyInvalid } from '@einvoicing/access/api-key'
import type { AuthenticateRequest, Authentication } from '@einvoicing/proto/organizations'
import { digestWithPepper } from './api-key'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'
import { isOlder } from './pepper'

export async function authenticate(
  { store, peppers, renewals, lastUses, now }: Deps,
  { keySha256 }: AuthenticateRequest,
): Promise<Authentication> {
  const proven = await peppers()
  const digests = proven.lines.map(({ key }) => digestWithPepper(keySha256, key))
  const found = await store.findHolder(digests)
  if (!found) throw apiKeyInvalid()
  const { digest, ...holder } = found
  lastUses.note(holder.apiKeyId, now())
  const [inUse] = proven.lines
  const keptUnder = proven.lines[digests.indexOf(digest)]
  if (keptUnder && isOlder(keptUnder.mark, proven)) {
    const to = digestWithPepper(keySha256, inUse.key)
    renewals.begin(holder.apiKeyId, { from: digest, to, pepper: inUse.mark })
  }
  return { ...holder, missing: missingMentions(holder.mentions) }
}
