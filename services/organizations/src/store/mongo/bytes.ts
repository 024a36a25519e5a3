import type { mongo } from 'mongoose'

export function toBytes(kept: Buffer | mongo.Binary): Uint8Array {
  return Buffer.isBuffer(kept) ? kept : kept.value()
}
