import { ageSeconds, metrics } from '@einvoicing/runtime/metrics'
import { pollEvery, type Poll } from '@einvoicing/runtime/poll'
import { Gauge } from 'prom-client'
import type { Deps } from '../deps'

const oldestAge = new Gauge({
  name: 'einvoicing_mails_oldest_age_seconds',
  help: 'Age of the oldest message that is not sent yet, 0 without any; of the store, not of this process',
  registers: [metrics],
})

const lookMs = 15_000

/** NaN while the store is unavailable, so that no outdated value remains. */
export function watchMails({ store, now }: Pick<Deps, 'store' | 'now'>): Poll {
  const readAge = async () => {
    const oldest = await store.oldestMail()
    return oldest === undefined ? 0 : ageSeconds(now().getTime() - Date.parse(oldest))
  }
  return pollEvery(lookMs, async () => oldestAge.set(await readAge().catch(() => NaN)))
}
