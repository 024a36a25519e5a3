/** The invoice's id and a part of an HMAC over it: other addresses cannot be guessed from one. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenKeys } from './token-keys'

const idBytes = 16
const proofBytes = 10
const tokenLength = Math.ceil(((idBytes + proofBytes) * 4) / 3)

export function createVerificationToken(invoiceId: string, [key]: TokenKeys): string {
  const id = Buffer.from(invoiceId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, prove(id, key)]).toString('base64url')
}

/** `undefined` when none of the keys made it. */
export function readVerificationToken(token: string, keys: TokenKeys): string | undefined {
  const bytes = Buffer.from(token.slice(0, tokenLength), 'base64url')
  // One address per document: other spellings of the same bytes are not accepted.
  const isSpelled = bytes.length === idBytes + proofBytes && bytes.toString('base64url') === token
  const [id, proof] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)]
  const isProven = keys.map((key) => isSpelled && timingSafeEqual(prove(id, key), proof))
  return isProven.includes(true) ? toUuid(id) : undefined
}

function prove(id: Buffer, key: TokenKeys[number]): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, proofBytes)
}

function toUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
