/** Bytes as the driver answers them: in a wrapper of its own. */

import type { mongo } from 'mongoose'

export function toBytes(kept: Buffer | mongo.Binary): Uint8Array {
  return Buffer.isBuffer(kept) ? kept : kept.value()
}
