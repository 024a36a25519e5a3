/**
 * Passes a request's body on in pieces worth holding: a client that sends it byte by byte must not
 * make a million objects of it, nor wrap each byte in kilobytes of chunk extensions.
 */

import type { Socket } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import { ApiError } from '@einvoicing/domain/api-error'

const pieceBytes = 4 * 1024
// What is as long as this is passed on as it is.
const wholeBytes = 1024

// An honest sender of one-byte chunks needs six bytes for each; the rest is what may have been read
// of the connection and is not of this body.
const framingPerByte = 8
const framingBytes = 256 * 1024

export class BodyPieces extends Transform {
  private readonly socket: Socket
  private readonly onBytes: (bytes: number) => void
  private readonly readBefore: number
  private received = 0
  private piece = Buffer.alloc(0)
  private filled = 0

  /**
   * `readBefore`: bytes read of the connection before the body, which may have come long before
   * anybody asked for it. `onBytes` is told of all that comes.
   */
  constructor(socket: Socket, readBefore: number, onBytes: (bytes: number) => void) {
    super()
    this.socket = socket
    this.onBytes = onBytes
    this.readBefore = readBefore
    // It may be destroyed with an error when no one listens any more, and that must not be thrown
    // at the process.
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
