/** A body sent byte by byte must not become a million objects. */

import type { Socket } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import { ApiError } from '@einvoicing/domain/api-error'

const pieceBytes = 4 * 1024
// Pieces of this length are passed on unchanged.
const wholeBytes = 1024

// A one-byte chunk needs six bytes. Includes bytes read for another body.
const framingPerByte = 8
const framingBytes = 256 * 1024

export class BodyPieces extends Transform {
  private readonly socket: Socket
  private readonly onBytes: (bytes: number) => void
  private readonly readBefore: number
  private received = 0
  private piece = Buffer.alloc(0)
  private filled = 0

  /** `readBefore`: bytes read before this body. `onBytes` gets the count of all bytes. */
  constructor(socket: Socket, readBefore: number, onBytes: (bytes: number) => void) {
    super()
    this.socket = socket
    this.onBytes = onBytes
    this.readBefore = readBefore
    // It may be destroyed with an error when there is no listener any more.
    this.on('error', () => undefined)
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length
    this.onBytes(chunk.length)
    if (this.framing() > framingBytes + framingPerByte * this.received) {
      done(new ApiError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large: send none.'))
      return
    }
    this.pass(chunk)
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.filled > 0) this.push(this.piece.subarray(0, this.filled))
    done()
  }

  private framing(): number {
    return this.socket.bytesRead - this.readBefore - this.received
  }

  private pass(chunk: Buffer): void {
    if (this.filled === 0 && chunk.length >= wholeBytes) {
      this.push(chunk)
      return
    }
    if (this.filled === 0) this.piece = Buffer.allocUnsafeSlow(pieceBytes)
    const copied = chunk.copy(this.piece, this.filled)
    this.filled += copied
    if (this.filled < pieceBytes) return
    this.push(this.piece)
    this.filled = 0
    if (copied < chunk.length) this.pass(chunk.subarray(copied))
  }
}
