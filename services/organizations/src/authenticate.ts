import { isAllowedAddress } from '@einvoicing/access/allowed-networks'
import { apiKeyExpired, apiKeyInvalid } from '@einvoicing/access/api-key'
import type { ApiError } from '@einvoicing/domain/api-error'
import type { AuthenticateKeysRequest, Authentication } from '@einvoicing/proto/organizations'
import { itemsMax } from '@einvoicing/rpc/message-size'
import { digestWithPepper } from './api-key'
import { toUnapproved } from './approval'
import type { Deps } from './deps'
import { missingMentions } from './legal-mentions'
import { isOlder, type ProvenPeppers } from './pepper'
import type { ApiKeyHolder } from './store/api-key-records'

/** One answer per key, in their order. */
export async function authenticateKeys(
  deps: Deps,
  { keysSha256, clientNetworks }: AuthenticateKeysRequest,
): Promise<PromiseSettledResult<Authentication>[]> {
  if (keysSha256.length > itemsMax.keys) {
    throw new Error(`more than ${itemsMax.keys} keys in one call`)
  }
  const proven = await deps.peppers()
  const keys = keysSha256.map((keySha256) =>
    proven.lines.map(({ key }) => digestWithPepper(keySha256, key)),
  )
  const holders = await deps.store.findHolders(keys)
  return keysSha256.map((keySha256, place) => {
    const found = holders[place]
    if (!found) return { status: 'rejected', reason: apiKeyInvalid() }
    const network = clientNetworks[place]
    const error = findLimitError(found, deps.now(), network)
    if (error) return { status: 'rejected', reason: error }
    renewDigest(deps, { keySha256, found, proven, digests: keys[place] ?? [] })
    const { digest, expiresAt, approval, ...holder } = found
    if (mayBeAllowed(network, holder.allowedNetworks)) {
      deps.lastUses.noteUse(holder.apiKeyId, deps.now(), network)
    }
    return {
      status: 'fulfilled',
      value: Object.assign(holder, toUnapproved(approval), {
        missing: missingMentions(holder.mentions),
        scopes: [...holder.scopes],
        allowedNetworks: [...holder.allowedNetworks],
      }),
    }
  })
}

/** A gateway of an older version sends no network; a limited key must not pass there. */
function findLimitError(
  { scopes, allowedNetworks, expiresAt }: ApiKeyHolder,
  now: Date,
  network: string | undefined,
): ApiError | undefined {
  if (expiresAt !== undefined && expiresAt <= now.toISOString()) return apiKeyExpired(expiresAt)
  const isLimited = scopes.length > 0 || allowedNetworks.length > 0
  return isLimited && network === undefined ? apiKeyInvalid() : undefined
}

/**
 * False for requests that the gateway will reject: their network must not replace that of the
 * last use. The gateway alone has the whole address, of IPv6 only the /64 is known here.
 */
function mayBeAllowed(network: string | undefined, allowed: readonly string[]): boolean {
  if (network === undefined) return true
  const isPartAllowed = (one: string) => isAllowedAddress(firstAddress(one), [network])
  return isAllowedAddress(firstAddress(network), allowed) || allowed.some(isPartAllowed)
}

function firstAddress(network: string): string {
  return network.split('/')[0] ?? ''
}

interface Looked {
  keySha256: Uint8Array
  found: ApiKeyHolder
  proven: ProvenPeppers
  digests: readonly Buffer[]
}

function renewDigest({ renewals }: Deps, { keySha256, found, proven, digests }: Looked): void {
  const [inUse] = proven.lines
  const storedUnder = proven.lines[digests.indexOf(found.digest)]
  if (!storedUnder || !isOlder(storedUnder.mark, proven)) return
  const to = digestWithPepper(keySha256, inUse.key)
  renewals.begin(found.apiKeyId, { from: found.digest, to, pepper: inUse.mark })
}
