/**
 * The form in which MinIO's administration takes secrets: sealed by the secret key of anyone who
 * sends them, as `madmin.EncryptData` does with PBKDF2 (salt, algorithm, nonce, one sealed
 * fragment).
 */

import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'

const pbkdf2AesGcm = 2
const iterations = 8192
const fragmentBytesMax = 16 * 1024
const lastFragment = 0x80

export function sealed(secretKey: string, text: string): Buffer {
  if (Buffer.byteLength(text) > fragmentBytesMax) throw new RangeError('too long to be sealed')
  const [salt, nonce] = [randomBytes(32), randomBytes(8)]
  const key = pbkdf2Sync(secretKey, salt, iterations, 32, 'sha256')
  const seal = (sequence: number, plain: Buffer, associated: Buffer): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32LE(sequence)
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, counter]))
    cipher.setAAD(associated)
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  const streamTag = seal(0, Buffer.alloc(0), Buffer.alloc(0))
  const associated = Buffer.concat([Buffer.from([lastFragment]), streamTag])
  const header = [salt, Buffer.from([pbkdf2AesGcm]), nonce]
  return Buffer.concat([...header, seal(1, Buffer.from(text), associated)])
}
