/** From the first byte until the answer is written. A body that is complete is not evicted. */

import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter, Gauge } from 'prom-client'
import { ClientMemory } from './client-memory'

const bodyMetrics = {
  bytes: new Gauge({
    name: 'einvoicing_request_body_bytes',
    help: 'Bytes of request bodies held in memory, arriving or being worked on',
    registers: [metrics],
  }),
  evictions: new Counter({
    name: 'einvoicing_request_body_refusals_total',
    help: 'Requests rejected because the memory for request bodies was full',
    registers: [metrics],
  }),
}

const retryAfterSeconds = 5

export class BodyMemory extends ClientMemory {
  constructor(maxBytes: number) {
    super(maxBytes, bodyMetrics)
  }
}

export function createBodyEvicted(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `Too many request bodies are being sent at once; nothing was stored. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}
