import { createHash } from 'node:crypto'
import { InvoiceArtefactsRequest } from '@einvoicing/proto/artefacts'
import { toBuffer } from './to-buffer'
import type { SignedInvoice } from './worker'

const bytesMaxDefault = 32 * 1024 * 1024

type Draw = () => Promise<Buffer>

/** The key is the whole message, not its id: no caller gets what another caller sent. */
export class DrawCache {
  private readonly underway = new Map<string, Promise<Buffer>>()
  private readonly drawn = new Map<string, Buffer>()
  private bytes = 0
  private readonly bytesMax: number

  constructor(bytesMax = bytesMaxDefault) {
    this.bytesMax = bytesMax
  }

  async getOrDraw(
    { invoice, signedXml, address = '' }: SignedInvoice,
    draw: Draw,
  ): Promise<Buffer> {
    const message = { invoice, signedXml: signedXml && toBuffer(signedXml) }
    const bytes = InvoiceArtefactsRequest.encode(message).finish()
    const key = createHash('sha256').update(bytes).update(address).digest('base64')
    const remembered = this.drawn.get(key)
    if (remembered) {
      this.drawn.delete(key)
      this.drawn.set(key, remembered)
      return remembered
    }
    const started = this.underway.get(key) ?? this.start(key, draw)
    return started
  }

  private start(key: string, draw: Draw): Promise<Buffer> {
    const drawing = draw()
      .then((bytes) => {
        this.remember(key, bytes)
        return bytes
      })
      .finally(() => this.underway.delete(key))
    this.underway.set(key, drawing)
    return drawing
  }

  private remember(key: string, bytes: Buffer): void {
    if (bytes.length > this.bytesMax) return
    this.drawn.set(key, bytes)
    this.bytes += bytes.length
    for (const [oldest, { length }] of this.drawn) {
      if (this.bytes <= this.bytesMax) return
      this.drawn.delete(oldest)
      this.bytes -= length
    }
  }
}
