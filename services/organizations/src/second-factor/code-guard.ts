/** Unknown networks share one limit, so that no other client can lock the user out. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { OrganizationStore, User } from '../store/store'

const dayMs = 24 * 60 * 60_000

/** Throws `TOO_MANY_ATTEMPTS`; call the result when the code was right or not compared. */
export type CodeGuard = (
  user: Pick<User, 'id' | 'knownNetworks'>,
  clientAddress: string,
) => Promise<() => Promise<void>>

export function createCodeGuard(store: Pick<OrganizationStore, 'countAttempts'>): CodeGuard {
  const { wrongPasswordsWindowMs: windowMs } = limits
  const byBoth = store.countAttempts({ name: 'code', windowMs })
  const byBothADay = store.countAttempts({ name: 'code-day', windowMs: dayMs })
  const spread = store.countAttempts({ name: 'code-spread', windowMs: dayMs })
  return async ({ id, knownNetworks }, clientAddress) => {
    const network = clientNetwork(clientAddress)
    const both = `${network} ${id}`
    const limited = [
      { counter: byBoth, key: both, max: limits.wrongCodes },
      { counter: byBothADay, key: both, max: limits.wrongCodesOfDay },
      ...(knownNetworks.includes(network)
        ? []
        : [{ counter: spread, key: id, max: limits.wrongCodesSpread }]),
    ]
    const counted: (() => Promise<void>)[] = []
    for (const { counter, key, max } of limited) {
      const { count, waitMs } = await counter.count(key)
      // An attempt over the limit must not count against others.
      if (count > max) throw tooManyAttempts(waitMs)
      counted.push(() => counter.forgive(key))
    }
    return async () => {
      await Promise.all(counted.map((forgive) => forgive()))
    }
  }
}
