/** Mails the owners 14 and 2 days before an API key expires, once each over all processes. */

import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { Deps } from './deps'
import { listOwnersToNotify } from './owners'
import type { ExpirySearch, ExpiringApiKey } from './store/api-key-records'

const everyMs = 60 * 60_000
const dayMs = 24 * 60 * 60_000
// The later one first: a key that is announced two days ahead is not announced again.
const daysAhead = [2, 14] as const

type AnnouncerDeps = Pick<Deps, 'store' | 'mailer' | 'now' | 'log'>

export function startAnnouncer(deps: AnnouncerDeps): Loop {
  return startLoop({ name: 'api-key-expiry', pauseMs: everyMs, log: deps.log }, (closing) =>
    announceExpiries(deps, closing),
  )
}

export async function announceExpiries(deps: AnnouncerDeps, closing = () => false): Promise<void> {
  for (const days of daysAhead) {
    let after: ExpiringApiKey | undefined
    do {
      if (closing()) return
      after = await announcePage(deps, { days, after }, closing)
    } while (after)
  }
}

/** The store finds some keys at once; returns the last of them. */
async function announcePage(
  deps: AnnouncerDeps,
  { days, after }: Pick<ExpirySearch, 'days' | 'after'>,
  closing: () => boolean,
): Promise<ExpiringApiKey | undefined> {
  const { store, mailer, now } = deps
  const at = now()
  const until = new Date(at.getTime() + days * dayMs).toISOString()
  const keys = await store.findExpiringApiKeys({ now: at.toISOString(), until, days, after })
  let isAny = false
  for (const key of keys) {
    if (closing()) break
    isAny = (await store.announceExpiry(key.id, days, await prepareMails(deps, key))) || isAny
  }
  if (isAny) mailer.wake()
  return keys.at(-1)
}

async function prepareMails({ store, mailer }: AnnouncerDeps, key: ExpiringApiKey) {
  const { organizationId, name, last4, expiresAt } = key
  const organization = (await store.findMentions(organizationId))?.name ?? ''
  const owners = await listOwnersToNotify(store, organizationId)
  const about = { name, last4, expiresAt, organization }
  return owners.flatMap((to) => mailer.prepare('api-key-expires', { to, network: '', about }) ?? [])
}
