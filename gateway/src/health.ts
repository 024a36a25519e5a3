/**
 * Whether this process lives, whether it can do its work, and how it fares. For operators and
 * orchestrators; no key needed.
 */

import type { Log } from '@einvoicing/kernel/log'
import { metrics } from '@einvoicing/kernel/metrics'
import { Refusal, type FieldFault } from '@einvoicing/kernel/refusal'
import { sendBytes, sendOk } from './http/envelope'
import type { Handle, RouteTable } from './http/route-table'

/** By the dependency's name; rejects when it is away. */
export type Checks = Record<string, () => Promise<void>>

export interface HealthDeps {
  checks: Checks
  /** true from the moment the process was asked to stop. */
  isDraining: () => boolean
  log: Log
}

const checkMs = 2_000

export function healthRoutes(deps: HealthDeps): RouteTable {
  return {
    '/livez': { GET: (_, response) => sendOk(response, { status: 'live' }) },
    '/readyz': { GET: readiness(deps) },
    '/metrics': {
      GET: async (_, response) =>
        sendBytes(response, {
          status: 200,
          headers: { 'Content-Type': metrics.contentType },
          body: await metrics.metrics(),
        }),
    },
  }
}

type Outcome = 'ok' | 'away'

function readiness({ checks, isDraining, log }: HealthDeps): Handle {
  const checkAll = sharedWhileRunning(async () =>
    Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, await outcomeOf(name, check, log)] as const,
      ),
    ),
  )
  return async (_, response) => {
    const outcomes = await checkAll()
    const away = outcomes.filter(([, outcome]) => outcome === 'away').map(([name]) => name)
    if (isDraining()) throw notReady([{ field: 'gateway', message: 'is stopping' }])
    if (away.length > 0) {
      throw notReady(away.map((field) => ({ field, message: 'is not available' })))
    }
    sendOk(response, { status: 'ready', dependencies: Object.fromEntries(outcomes) })
  }
}

async function outcomeOf(name: string, check: () => Promise<void>, log: Log): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer in ${checkMs} ms`)), checkMs)
      }),
    ])
    return 'ok'
  } catch (err) {
    log.warn({ err, dependency: name }, 'dependency is away')
    return 'away'
  } finally {
    clearTimeout(timer)
  }
}

/** Anyone may ask, so that many asking at once must cost no more than one. */
function sharedWhileRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}

function notReady(faults: FieldFault[]): Refusal {
  const names = faults.map(({ field, message }) => `${field} ${message}`).join(', ')
  return new Refusal('SERVICE_UNAVAILABLE', `Not ready: ${names}.`, {
    faults,
    retryAfterSeconds: 5,
  })
}
