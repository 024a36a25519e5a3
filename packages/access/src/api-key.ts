/**
 * The format of a secret API key: `svc_sk_`, 43 base62 characters (256 bits), and 6 that hold their
 * CRC-32.
 *
 * The checksum refuses a typo without a look-up; it proves nothing. The organizations
 * service makes keys and stores their digests. Specification, section 5.
 */

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ApiError } from '@einvoicing/domain/api-error'

export const apiKeyPrefix = 'svc_sk_'

/** In the order of ASCII. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 62^43 is a little more than 2^256. */
export const apiKeyBodyLength = 43

const checksumLength = 6 // 62^6 > 2^32

const wellFormed = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${apiKeyBodyLength + checksumLength}}$`)

/** The whole key around a body of 43 base62 characters. */
export function toApiKey(body: string): string {
  return `${apiKeyPrefix}${body}${computeChecksum(body)}`
}

/** Whether `key` could be one of ours; false for a mistyped one. */
export function isWellFormedApiKey(key: string): boolean {
  if (!wellFormed.test(key)) return false
  const body = key.slice(apiKeyPrefix.length, -checksumLength)
  return key.endsWith(computeChecksum(body))
}

/** SHA-256 of the key: all that leaves the gateway. */
export function digestApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/**
 * The one answer to a key that is mistyped, unknown or revoked: a stranger learns nothing from it.
 */
export function apiKeyInvalid(): ApiError {
  return new ApiError(
    'API_KEY_INVALID',
    'The API key is not valid: it is unknown or was revoked. Compare its last four characters with those at /dashboard, or make a new key there.',
  )
}

/** The one answer to an id of a key that is malformed, unknown or another organization's. */
export function apiKeyNotFound(): ApiError {
  return new ApiError(
    'API_KEY_NOT_FOUND',
    'No API key with this id exists in your organization; GET /dashboard/api/api-keys lists those that do.',
  )
}

function computeChecksum(body: string): string {
  let rest = crc32(body)
  let checksum = ''
  while (checksum.length < checksumLength) {
    checksum = base62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return checksum
}
