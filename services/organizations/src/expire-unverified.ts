/** Removes accounts that were not verified in time, so that the owner of the email can sign up. */

import { limits } from '@einvoicing/domain/limits'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { Deps } from './deps'

const everyMs = 60 * 60_000
const atOnce = 100

type ExpiryDeps = Pick<Deps, 'store' | 'now' | 'log'>

export function startExpiry(deps: ExpiryDeps): Loop {
  return startLoop({ name: 'unverified-accounts', pauseMs: everyMs, log: deps.log }, () =>
    expireUnverified(deps),
  )
}

/** One commit per account. */
async function expireUnverified({ store, now, log }: ExpiryDeps): Promise<void> {
  const at = now()
  const before = new Date(at.getTime() - limits.unverifiedLifetimeMs).toISOString()
  for (let kept = 0, found = atOnce; found === atOnce;) {
    const users = await store.findUnverified({ before, skip: kept, count: atOnce })
    for (const { id: userId, organizationId, email } of users) {
      const audit = {
        at: at.toISOString(),
        actor: 'service:organizations',
        action: 'account.expired',
        detail: email,
      }
      const outcome = await store.expireUnverified({ userId, before }, audit)
      if (outcome === 'kept') kept += 1
      log.info({ userId, organizationId, outcome }, 'account not verified in time')
    }
    found = users.length
  }
}
