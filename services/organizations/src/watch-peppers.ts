/** So that the operator knows when an old pepper may be removed. */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Gauge } from 'prom-client'
import { isOlder, type ReadPeppers, type ProvenPeppers } from './pepper'
import type { OrganizationStore } from './store/store'

const checkEveryMs = 60_000

const olderKeys = new Gauge({
  name: 'einvoicing_api_keys_under_older_pepper',
  help: 'Live API keys stored under an older pepper, by its line in API_KEY_PEPPER_FILE; line "missing": in no line, so these keys are rejected',
  labelNames: ['line'],
  registers: [metrics],
})

export interface WatchDeps {
  store: OrganizationStore
  peppers: ReadPeppers
  now: Clock
  log: Log
}

/** With a single pepper there is nothing to report. */
export function watchPeppers({ store, peppers, now, log }: WatchDeps): { close(): void } {
  const reported = new Map<string, number>()
  const checkPeppers = async () => {
    const proven = await peppers()
    if (proven.history.length === 1) return
    for (const [line, keys] of await countOlder(store, proven, now())) {
      olderKeys.set({ line }, keys)
      const before = reported.get(line)
      if (before === undefined || (before > 0 && keys === 0)) report(log, line, keys)
      reported.set(line, keys)
    }
  }
  // Other uses of the store report that it is unavailable.
  const tryCheckPeppers = () => void checkPeppers().catch(() => undefined)
  tryCheckPeppers()
  const timer = setInterval(tryCheckPeppers, checkEveryMs).unref()
  return { close: () => clearInterval(timer) }
}

/** By line, from 1, and `missing`. */
async function countOlder(
  store: OrganizationStore,
  proven: ProvenPeppers,
  now: Date,
): Promise<Map<string, number>> {
  const { lines, history } = proven
  const counts = new Map([['missing', 0]])
  for (const [index, { mark }] of lines.entries()) {
    if (isOlder(mark, proven)) counts.set(String(index + 1), 0)
  }
  const others = { now: now.toISOString(), except: lines[0].mark }
  for (const { pepper = history[0], keys } of await store.countLiveApiKeysByPepper(others)) {
    const index = lines.findIndex(({ mark }) => mark === pepper)
    const line = index < 0 ? 'missing' : String(index + 1)
    if (counts.has(line) || index < 0) counts.set(line, (counts.get(line) ?? 0) + keys)
  }
  return counts
}

function report(log: Log, line: string, keys: number): void {
  if (line === 'missing') {
    if (keys === 0) return
    log.warn(
      { keys },
      'API keys use a pepper that API_KEY_PEPPER_FILE no longer contains: they are rejected as unknown until you add it back as the last line',
    )
  } else if (keys > 0) {
    log.info(
      { keys, line },
      'API keys use an older line of API_KEY_PEPPER_FILE: each moves to the first line at its next use; keep the line until no key uses it',
    )
  } else {
    log.info(
      { line },
      'no API key uses this older line of API_KEY_PEPPER_FILE any more: it can be removed',
    )
  }
}
