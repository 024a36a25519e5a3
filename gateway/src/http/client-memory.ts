// When it is full, the client that holds most loses its largest part that is not settled, so that
// clients that never finish make space for others.

import type { Counter, Gauge } from 'prom-client'

export interface MemoryMetrics {
  bytes: Gauge
  evictions: Counter
}

export class ClientMemory {
  private readonly maxBytes: number
  private readonly metrics: MemoryMetrics
  private readonly clients = new Map<string, Client>()
  private bytes = 0

  constructor(maxBytes: number, metrics: MemoryMetrics) {
    this.maxBytes = maxBytes
    this.metrics = metrics
  }

  /** `onEvicted` is called at most once, when the memory is needed for others. */
  hold(name: string, onEvicted: () => void): HeldMemory {
    const client = this.clients.get(name) ?? { name, bytes: 0, parts: new Set() }
    this.clients.set(name, client)
    return new HeldMemory(this, client, onEvicted)
  }

  count({ name, parts }: Client, bytes: number): void {
    this.bytes += bytes
    this.metrics.bytes.inc(bytes)
    if (parts.size === 0) this.clients.delete(name)
  }

  /** Evicts this part or larger ones until the sums are within their bounds. */
  makeSpaceFor(part: HeldMemory): void {
    const { client } = part
    // Half for one client, so that there is always space for the next.
    while (!part.isEvicted && client.bytes > this.maxBytes / 2)
      this.evict(findLargest(client) ?? part)
    while (!part.isEvicted && this.bytes > this.maxBytes)
      this.evict(this.findLargestOfLargestClient() ?? part)
  }

  private evict(part: HeldMemory): void {
    this.metrics.evictions.inc()
    part.evict()
  }

  private findLargestOfLargestClient(): HeldMemory | undefined {
    let found: HeldMemory | undefined
    for (const client of this.clients.values()) {
      const part = findLargest(client)
      if (part && (!found || client.bytes > found.client.bytes)) found = part
    }
    return found
  }
}

interface Client {
  name: string
  bytes: number
  parts: Set<HeldMemory>
}

export class HeldMemory {
  readonly client: Client
  bytes = 0
  isSettled = false
  isEvicted = false
  private readonly memory: ClientMemory
  private readonly onEvicted: () => void

  constructor(memory: ClientMemory, client: Client, onEvicted: () => void) {
    this.memory = memory
    this.client = client
    this.onEvicted = onEvicted
    client.parts.add(this)
  }

  /** May evict this part, or another. */
  add(bytes: number): void {
    if (!this.client.parts.has(this)) return
    this.change(bytes)
    this.memory.makeSpaceFor(this)
  }

  /** It now takes `bytes`, and is no longer evicted. */
  settle(bytes: number): void {
    if (!this.client.parts.has(this)) return
    this.isSettled = true
    this.change(bytes - this.bytes)
  }

  release(): void {
    if (this.client.parts.delete(this)) this.change(-this.bytes)
  }

  evict(): void {
    this.release()
    this.isEvicted = true
    this.onEvicted()
  }

  private change(bytes: number): void {
    this.bytes += bytes
    this.client.bytes += bytes
    this.memory.count(this.client, bytes)
  }
}

function findLargest({ parts }: Client): HeldMemory | undefined {
  let found: HeldMemory | undefined
  for (const part of parts) {
    if (!part.isSettled && (!found || part.bytes > found.bytes)) found = part
  }
  return found
}
