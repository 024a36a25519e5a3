/** Short, so that a poor scan can be read; signed, so that codes cannot be guessed by counting. */

import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'

// 72 bits: too many to guess against a server that answers each guess.
const signatureBytes = 9

export function createShortCode(sequence: number, stampKey: KeyObject): string {
  return `${sequence.toString(36)}-${signSequence(sequence, stampKey).toString('base64url')}`
}

/** `undefined` for a code that the platform did not make. */
export function readShortCode(code: string, stampKey: KeyObject): number | undefined {
  const [, digits = '', signature = ''] = /^([\da-z]{1,11})-([\w-]{12})$/.exec(code) ?? []
  const sequence = Number.parseInt(digits, 36)
  if (!Number.isSafeInteger(sequence) || sequence.toString(36) !== digits) return undefined
  const isValid = timingSafeEqual(
    Buffer.from(signature, 'base64url'),
    signSequence(sequence, stampKey),
  )
  return isValid ? sequence : undefined
}

function signSequence(sequence: number, stampKey: KeyObject): Buffer {
  const secret = stampKey.export({ type: 'pkcs8', format: 'der' })
  return createHmac('sha256', secret)
    .update(`short code ${sequence}`)
    .digest()
    .subarray(0, signatureBytes)
}
