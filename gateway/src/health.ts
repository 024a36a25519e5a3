/**
 * Whether this process lives, whether it can do its work, and how it fares. For operators and
 * orchestrators; no key needed.
 */

import { metrics } from '@einvoicing/kernel/metrics'
import { essentialFaults, readinessTold } from '@einvoicing/kernel/readiness'
import { Refusal, type FieldFault } from '@einvoicing/kernel/refusal'
import type { Readiness } from '@einvoicing/proto/readiness'
import { sendBytes, sendOk } from './http/envelope'
import type { Handle, RouteTable } from './http/route-table'

export interface HealthDeps {
  /** What this process needs, asked now. */
  readiness: () => Promise<Readiness>
  /** true from the moment the process was asked to stop. */
  isDraining: () => boolean
}

export function healthRoutes(deps: HealthDeps): RouteTable {
  return {
    '/livez': { GET: (_, response) => sendOk(response, { status: 'live' }) },
    '/servingz': { GET: answerServing(deps) },
    '/readyz': { GET: answerReadiness(deps) },
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

/** Whether the door is open, whatever it leads to: who is behind it is not asked. */
function answerServing({ isDraining }: HealthDeps): Handle {
  return (_, response) => {
    if (isDraining()) throw notReady([isStopping])
    sendOk(response, { status: 'serving' })
  }
}

const isStopping: FieldFault = { field: 'gateway', message: 'is stopping' }

function answerReadiness({ readiness, isDraining }: HealthDeps): Handle {
  return async (_, response) => {
    const found = await readiness()
    if (isDraining()) throw notReady([isStopping])
    const missing = essentialFaults(found)
    if (missing.length > 0) {
      throw notReady(missing.map(({ name, fault }) => ({ field: name, message: fault })))
    }
    sendOk(response, readinessTold(found))
  }
}

function notReady(faults: FieldFault[]): Refusal {
  const names = faults.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new Refusal('SERVICE_UNAVAILABLE', `Not ready: ${names}.`, {
    faults,
    retryAfterSeconds: 5,
  })
}
