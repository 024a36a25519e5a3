/**
 * Bounds the memory that the bodies of all requests take together, from their first byte until they
 * are answered.
 *
 * Where there is no space for more, the client that holds most loses its largest body that has not
 * arrived whole: anyone who sends many bodies and ends none of them makes space for everybody else.
 */

import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter, Gauge } from 'prom-client'

const bytesHeld = new Gauge({
  name: 'einvoicing_request_body_bytes',
  help: 'Bytes of request bodies held in memory, arriving or being worked on',
  registers: [metrics],
})
const apiErrors = new Counter({
  name: 'einvoicing_request_body_refusals_total',
  help: 'Requests refused because request bodies took all the memory set aside for them',
  registers: [metrics],
})

const retryAfterSeconds = 5

export class BodyMemory {
  private readonly maxBytes: number
  private readonly clients = new Map<string, Client>()
  private bytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** `onRefused` is called at most once, when what this body takes is needed for others. */
  hold(name: string, onRejected: (apiError: ApiError) => void): HeldBody {
    const client = this.clients.get(name) ?? { name, bytes: 0, bodies: new Set() }
    this.clients.set(name, client)
    return new HeldBody(this, client, onRejected)
  }

  /** For `HeldBody`. */
  count({ name, bodies }: Client, bytes: number): void {
    this.bytes += bytes
    bytesHeld.inc(bytes)
    if (bodies.size === 0) this.clients.delete(name)
  }

  /** For `HeldBody`: refuses this body or larger ones until the sums are within their bounds. */
  makeRoomFor(body: HeldBody): void {
    const { client } = body
    // Half for one client, so that there is always some for the next.
    while (!body.error && client.bytes > this.maxBytes / 2)
      (findLargestBody(client) ?? body).reject()
    while (!body.error && this.bytes > this.maxBytes)
      (this.findLargestBodyOfLargestClient() ?? body).reject()
  }

  private findLargestBodyOfLargestClient(): HeldBody | undefined {
    let found: HeldBody | undefined
    for (const client of this.clients.values()) {
      const body = findLargestBody(client)
      if (body && (!found || client.bytes > found.client.bytes)) found = body
    }
    return found
  }
}

interface Client {
  name: string
  bytes: number
  bodies: Set<HeldBody>
}

export class HeldBody {
  readonly client: Client
  bytes = 0
  /** Whether it has arrived whole: then it is not refused any more. */
  isSettled = false
  /** Why it is not to be read on. */
  error: ApiError | undefined
  private readonly memory: BodyMemory
  private readonly onRefused: (apiError: ApiError) => void

  constructor(memory: BodyMemory, client: Client, onRefused: (apiError: ApiError) => void) {
    this.memory = memory
    this.client = client
    this.onRefused = onRefused
    client.bodies.add(this)
  }

  /** Counts bytes that came, or were made of what came; may refuse this body, or another. */
  add(bytes: number): void {
    if (!this.client.bodies.has(this)) return
    this.change(bytes)
    this.memory.makeRoomFor(this)
  }

  /** It has arrived whole, and of all that was counted `bytes` are left. */
  settle(bytes: number): void {
    if (!this.client.bodies.has(this)) return
    this.isSettled = true
    this.change(bytes - this.bytes)
  }

  release(): void {
    if (this.client.bodies.delete(this)) this.change(-this.bytes)
  }

  /** For `BodyMemory`. */
  reject(): void {
    apiErrors.inc()
    this.release()
    this.error = new ApiError(
      'SERVICE_UNAVAILABLE',
      `Too many request bodies are being sent at once; nothing was stored. Send the request again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
    this.onRefused(this.error)
  }

  private change(bytes: number): void {
    this.bytes += bytes
    this.client.bytes += bytes
    this.memory.count(this.client, bytes)
  }
}

/** The oldest of equals. */
function findLargestBody({ bodies }: Client): HeldBody | undefined {
  let found: HeldBody | undefined
  for (const body of bodies) {
    if (!body.isSettled && (!found || body.bytes > found.bytes)) found = body
  }
  return found
}
