import { createHash } from 'node:crypto'
import { InvoiceArtefactsRequest } from '@einvoicing/proto/artefacts'
import { RecentBytes } from '../recent-bytes'
import { toBuffer } from './to-buffer'
import type { SignedInvoice } from './worker'

const bytesMaxDefault = 32 * 1024 * 1024

type Draw = () => Promise<Buffer>

/** The key is the whole message, not its id: no caller gets what another caller sent. */
export class DrawCache {
  private readonly underway = new Map<string, Promise<Buffer>>()
  private readonly drawn: RecentBytes

  constructor(bytesMax = bytesMaxDefault) {
    this.drawn = new RecentBytes(bytesMax)
  }

  async getOrDraw(
    { invoice, signedXml, address = '' }: SignedInvoice,
    draw: Draw,
  ): Promise<Buffer> {
    const message = { invoice, signedXml: signedXml && toBuffer(signedXml) }
    const bytes = InvoiceArtefactsRequest.encode(message).finish()
    const key = createHash('sha256').update(bytes).update(address).digest('base64')
    return this.drawn.get(key) ?? this.underway.get(key) ?? this.start(key, draw)
  }

  private start(key: string, draw: Draw): Promise<Buffer> {
    const drawing = draw()
      .then((bytes) => {
        this.drawn.add(key, bytes)
        return bytes
      })
      .finally(() => this.underway.delete(key))
    this.underway.set(key, drawing)
    return drawing
  }
}
