/** A revoked key is rejected from the next request on, with the message for an unknown one. */

import { apiKeyInvalid } from '@einvoicing/access/api-key'
import type { AuthenticateKeysRequest, Authentication } from '@einvoicing/proto/organizations'
import { digestWithPepper } from './api-key'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'
import { isOlder, type ProvenPeppers } from './pepper'
import type { ApiKeyHolder } from './store/store'

const keysMax = 100

/** For each key, in their order, whom it speaks for, or API_KEY_INVALID. */
export async function authenticateKeys(
  deps: Deps,
  { keysSha256 }: AuthenticateKeysRequest,
): Promise<PromiseSettledResult<Authentication>[]> {
  if (keysSha256.length > keysMax) throw new Error(`more than ${keysMax} keys in one call`)
  const proven = await deps.peppers()
  const keys = keysSha256.map((keySha256) =>
    proven.lines.map(({ key }) => digestWithPepper(keySha256, key)),
  )
  const holders = await deps.store.findHolders(keys)
  return keysSha256.map((keySha256, place) => {
    const found = holders[place]
    if (!found) return { status: 'rejected', reason: apiKeyInvalid() }
    renewDigest(deps, { keySha256, found, proven, digests: keys[place] ?? [] })
    const { digest, ...holder } = found
    deps.lastUses.note(holder.apiKeyId, deps.now())
    return {
      status: 'fulfilled',
      value: { ...holder, missing: missingMentions(holder.mentions) },
    }
  })
}

interface Looked {
  keySha256: Uint8Array
  found: ApiKeyHolder
  proven: ProvenPeppers
  digests: readonly Buffer[]
}

/** Where the key is stored under an older pepper than the one in use. */
function renewDigest({ renewals }: Deps, { keySha256, found, proven, digests }: Looked): void {
  const [inUse] = proven.lines
  const storedUnder = proven.lines[digests.indexOf(found.digest)]
  if (!storedUnder || !isOlder(storedUnder.mark, proven)) return
  const to = digestWithPepper(keySha256, inUse.key)
  renewals.begin(found.apiKeyId, { from: found.digest, to, pepper: inUse.mark })
}
