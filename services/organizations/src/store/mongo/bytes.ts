import type { mongo } from 'mongoose'

export function toBytes(stored: Buffer | mongo.Binary): Uint8Array {
  return Buffer.isBuffer(stored) ? stored : stored.value()
}
