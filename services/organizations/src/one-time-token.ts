/** 256 random bits that a link contains. Only their digest is stored. */

import { createHash } from 'node:crypto'
import type { RandomBytes } from './api-key'

const tokenBytes = 32

export function createOneTimeToken({ randomBytes }: { randomBytes: RandomBytes }): string {
  return Buffer.from(randomBytes(tokenBytes)).toString('base64url')
}

export function digestOneTimeToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
