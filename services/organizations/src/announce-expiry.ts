/** Mails the owners 14 and 2 days before an API key expires, once each over all processes. */

import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { Deps } from './deps'
import { listOwnersToNotify } from './owners'
import type { ExpiringApiKey } from './store/api-key-records'

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
    while (!closing() && (await announceSome(deps, days, closing)));
  }
}

/** The store finds some keys at once. False: none was announced. */
async function announceSome(
  deps: AnnouncerDeps,
  days: number,
  closing: () => boolean,
): Promise<boolean> {
  const { store, mailer, now } = deps
  const at = now()
  const until = new Date(at.getTime() + days * dayMs).toISOString()
  const keys = await store.findExpiringApiKeys({ now: at.toISOString(), until, days })
  let isAny = false
  for (const key of keys) {
    if (closing()) break
    isAny = (await store.announceExpiry(key.id, days, await prepareMails(deps, key))) || isAny
  }
  if (isAny) mailer.wake()
  return isAny
}

async function prepareMails({ store, mailer }: AnnouncerDeps, key: ExpiringApiKey) {
  const { organizationId, name, last4, expiresAt } = key
  const organization = (await store.findMentions(organizationId))?.name ?? ''
  const owners = await listOwnersToNotify(store, organizationId)
  const about = { name, last4, expiresAt, organization }
  return owners.flatMap((to) => mailer.prepare('api-key-expires', { to, network: '', about }) ?? [])
}
