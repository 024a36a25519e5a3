import { createHmac } from 'node:crypto'
import { apiKeyBodyLength, toApiKey, base62 } from '@einvoicing/access/api-key'

export type RandomBytes = (count: number) => Uint8Array

// The largest multiple of 62 in a byte: higher bytes would favour the first characters.
const unbiasedBytes = 248

export function generateApiKey(randomBytes: RandomBytes): string {
  let body = ''
  while (body.length < apiKeyBodyLength) {
    for (const byte of randomBytes(apiKeyBodyLength - body.length)) {
      if (byte < unbiasedBytes) body += base62.charAt(byte % base62.length)
    }
  }
  return toApiKey(body)
}

export function digestWithPepper(keySha256: Uint8Array, pepper: Buffer | undefined): Buffer {
  if (!pepper) return Buffer.from(keySha256)
  return createHmac('sha256', pepper).update(keySha256).digest()
}
