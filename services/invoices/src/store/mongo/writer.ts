/** Each process first does what it wrote itself, so that little is done twice. */

import type { Clock } from '@einvoicing/runtime/clock'
import type { mongo } from 'mongoose'
import { v7 as uuidV7 } from 'uuid'
import type { InvoiceDocument, Pending } from './schema'
import type { Position } from '../store'

const leftAloneMs = 10_000
/** Further ahead than clocks differ: written by a clock that was wrong. */
const wrongAheadMs = 60_000

export class Writer {
  readonly id = uuidV7()
  private readonly now: Clock

  constructor(now: Clock) {
    this.now = now
  }

  pending(): Pending {
    return { position: uuidV7(), writer: this.id }
  }

  mine(field: string, after: Position = ''): mongo.Filter<InvoiceDocument> {
    return { [`${field}.position`]: { $gt: after }, ...this.oursOrLeft(field) }
  }

  /** Written by this process, before it started, left by another process, or dated wrongly. */
  oursOrLeft(field: string): mongo.Filter<InvoiceDocument> {
    const leftBefore = this.momentAgo(leftAloneMs)
    return {
      $or: [
        { [`${field}.writer`]: this.id },
        { [`${field}.position`]: { $lt: leftBefore > this.id ? leftBefore : this.id } },
        { [`${field}.position`]: { $gt: this.momentAgo(-wrongAheadMs) } },
      ],
    }
  }

  /** So recent that only a process which has just started would take it too. */
  isOursAlone({ writer, position }: Pending): boolean {
    return writer === this.id && position > this.momentAgo(leftAloneMs / 2)
  }

  momentAgo(ms: number): Position {
    return uuidV7({ msecs: this.now().getTime() - ms })
  }
}
