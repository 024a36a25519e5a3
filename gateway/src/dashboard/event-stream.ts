// Server-sent events (WHATWG HTML, section 9.2). Only the newest event of an invoice is queued. A
// slow client is disconnected: it reconnects with its last id.

import type { Response } from 'express'
import { limits } from '@einvoicing/domain/limits'
import { hasClientLeft } from '../http/client-left'
import { findSlot } from '../http/overload/slot'
import { getExchange } from '../http/exchange'

export interface StreamEvent {
  name: string
  /** Sent back by the client as `Last-Event-ID`. */
  id: string
  data: object
}

export interface StreamOptions {
  /** How long a client may read nothing while events are queued for it. */
  patienceMs: number
  retryMs: number
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would buffer the stream.
  'X-Accel-Buffering': 'no',
} as const

export class EventStream {
  private readonly waiting = new Map<string, StreamEvent>()
  private isSending = false
  private readonly patienceMs: number
  private readonly response: Response

  constructor(response: Response, { patienceMs, retryMs }: StreamOptions) {
    this.response = response
    this.patienceMs = patienceMs
    getExchange(response).streamingSince = performance.now()
    findSlot(response)?.release()
    response.writeHead(200, streamHeaders)
    response.write(`retry: ${retryMs}\n\n`)
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !hasClientLeft(this.response)
  }

  /** Replaces a queued event with the same key. */
  queue(key: string, event: StreamEvent): void {
    if (!this.isOpen) return
    this.waiting.delete(key)
    this.waiting.set(key, event)
    if (this.waiting.size > limits.eventsWaiting) this.cut()
    else void this.send()
  }

  /** Keeps the connection and its proxies open; not sent to a client that reads slowly. */
  comment(text: string): void {
    if (this.isOpen && !this.response.writableNeedDrain) this.response.write(`: ${text}\n\n`)
  }

  async waitUntilSent(): Promise<void> {
    while (this.isOpen && (this.waiting.size > 0 || this.response.writableNeedDrain)) {
      if (this.response.writableNeedDrain) await this.waitForDrain()
      else await new Promise(setImmediate)
    }
  }

  end(): void {
    if (this.isOpen) this.response.end()
  }

  private cut(): void {
    this.waiting.clear()
    this.response.destroy()
  }

  private async send(): Promise<void> {
    if (this.isSending) return
    this.isSending = true
    for (const [key, event] of this.waiting) {
      if (!this.isOpen) break
      this.waiting.delete(key)
      if (!this.response.write(formatEvent(event))) await this.waitForDrain()
    }
    this.isSending = false
  }

  private waitForDrain(): Promise<void> {
    if (!this.isOpen || !this.response.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(patience)
        this.response.off('drain', done)
        this.response.off('close', done)
        resolve()
      }
      const patience = setTimeout(() => this.cut(), this.patienceMs)
      this.response.on('drain', done)
      this.response.on('close', done)
    })
  }
}

// Name, id and JSON contain no line break.
export function formatEvent({ name, id, data }: StreamEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
