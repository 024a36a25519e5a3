/**
 * From the first byte until the answer. When full, the client that holds most loses its largest
 * incomplete body, so that clients that never finish make space for others.
 */

import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter, Gauge } from 'prom-client'

let bytesHeld = 0
new Gauge({
  name: 'einvoicing_request_body_bytes',
  help: 'Bytes of request bodies held in memory, arriving or being worked on',
  registers: [metrics],
  collect() {
    this.set(bytesHeld)
  },
})
const rejections = new Counter({
  name: 'einvoicing_request_body_refusals_total',
  help: 'Requests rejected because the memory for request bodies was full',
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

  /** `onRejected` is called at most once, when the memory is needed for others. */
  hold(name: string, onRejected: (apiError: ApiError) => void): HeldBody {
    const client = this.clients.get(name) ?? { name, bytes: 0, bodies: new Set() }
    this.clients.set(name, client)
    return new HeldBody(this, client, onRejected)
  }

  count({ name, bodies }: Client, bytes: number): void {
    this.bytes += bytes
    bytesHeld += bytes
    if (bodies.size === 0) this.clients.delete(name)
  }

  /** Rejects this body or larger ones until the sums are within their bounds. */
  makeSpaceFor(body: HeldBody): void {
    const { client } = body
    // Half for one client, so that there is always space for the next.
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
  /** Complete: it can no longer be rejected. */
  isSettled = false
  error: ApiError | undefined
  private readonly memory: BodyMemory
  private readonly onRejected: (apiError: ApiError) => void

  constructor(memory: BodyMemory, client: Client, onRejected: (apiError: ApiError) => void) {
    this.memory = memory
    this.client = client
    this.onRejected = onRejected
    client.bodies.add(this)
  }

  /** May reject this body, or another. */
  add(bytes: number): void {
    if (!this.client.bodies.has(this)) return
    this.change(bytes)
    this.memory.makeSpaceFor(this)
  }

  /** The body is complete and now takes `bytes`. */
  settle(bytes: number): void {
    if (!this.client.bodies.has(this)) return
    this.isSettled = true
    this.change(bytes - this.bytes)
  }

  release(): void {
    if (this.client.bodies.delete(this)) this.change(-this.bytes)
  }

  reject(): void {
    rejections.inc()
    this.release()
    this.error = new ApiError(
      'SERVICE_UNAVAILABLE',
      `Too many request bodies are being sent at once; nothing was stored. Send the request again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
    this.onRejected(this.error)
  }

  private change(bytes: number): void {
    this.bytes += bytes
    this.client.bytes += bytes
    this.memory.count(this.client, bytes)
  }
}

function findLargestBody({ bodies }: Client): HeldBody | undefined {
  let found: HeldBody | undefined
  for (const body of bodies) {
    if (!body.isSettled && (!found || body.bytes > found.bytes)) found = body
  }
  return found
}
