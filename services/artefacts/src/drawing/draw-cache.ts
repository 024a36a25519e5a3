import { createHash } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { InvoiceArtefactsRequest } from '@einvoicing/proto/artefacts'
import { within } from '@einvoicing/runtime/deadline'
import { RecentBytes } from '../recent-bytes'
import { LatestDeadline } from './latest-deadline'
import { toBuffer } from './to-buffer'
import type { SignedInvoice } from './worker'

const bytesMaxDefault = 32 * 1024 * 1024

/** Is not begun once `signal` is aborted. */
type Draw = (signal: AbortSignal) => Promise<Buffer>

interface Underway {
  bytes: Promise<Buffer>
  deadline: LatestDeadline
}

export const drawingUnavailable = (cause?: unknown) =>
  unavailable('The drawing of documents', cause)

export interface DrawCacheOptions {
  /** Of a drawing, whatever time its readers have. */
  longestMs: number
  bytesMax?: number
}

/** The key is the whole message, not its id: no caller gets what another caller sent. */
export class DrawCache {
  private readonly underway = new Map<string, Underway>()
  private readonly drawn: RecentBytes
  private readonly longestMs: number

  constructor({ longestMs, bytesMax = bytesMaxDefault }: DrawCacheOptions) {
    this.longestMs = longestMs
    this.drawn = new RecentBytes(bytesMax)
  }

  async getOrDraw(
    { invoice, signedXml, address = '' }: SignedInvoice,
    deadline: number,
    draw: Draw,
  ): Promise<Buffer> {
    const message = { invoice, signedXml: signedXml && toBuffer(signedXml) }
    const bytes = InvoiceArtefactsRequest.encode(message).finish()
    const key = createHash('sha256').update(bytes).update(address).digest('base64')
    return this.drawn.get(key) ?? this.waitFor(key, deadline, draw)
  }

  private waitFor(key: string, deadline: number, draw: Draw): Promise<Buffer> {
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) throw drawingUnavailable()
    const underway = this.underway.get(key) ?? this.start(key, draw)
    underway.deadline.extend(deadline)
    return within(leftMs, underway.bytes, drawingUnavailable)
  }

  private start(key: string, draw: Draw): Underway {
    const deadline = new LatestDeadline(this.longestMs)
    const bytes = draw(deadline.signal)
      .then((drawn) => {
        this.drawn.add(key, drawn)
        return drawn
      })
      .finally(() => {
        deadline.end()
        this.underway.delete(key)
      })
    const underway = { bytes, deadline }
    this.underway.set(key, underway)
    return underway
  }
}
