// `svc_sk_`, 43 base62 characters (256 bits), 6 of their CRC-32 (specification, section 5).

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ApiError } from '@einvoicing/domain/api-error'

export const apiKeyPrefix = 'svc_sk_'

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const apiKeyBodyLength = 43

const checksumLength = 6 // 62^6 > 2^32

const wellFormed = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${apiKeyBodyLength + checksumLength}}$`)

export function toApiKey(body: string): string {
  return `${apiKeyPrefix}${body}${computeChecksum(body)}`
}

export function isWellFormedApiKey(key: string): boolean {
  if (!wellFormed.test(key)) return false
  const body = key.slice(apiKeyPrefix.length, -checksumLength)
  return key.endsWith(computeChecksum(body))
}

/** SHA-256: the only form of the key that leaves the gateway. */
export function digestApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** One answer to a mistyped, unknown or revoked key, so that a stranger learns nothing from it. */
export function apiKeyInvalid(): ApiError {
  return new ApiError(
    'API_KEY_INVALID',
    'The API key is not valid: it is unknown or was revoked. Compare its last four characters with those at /dashboard, or make a new key there.',
  )
}

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
