// `svc_sk_`, 43 base62 characters (256 bits), 6 of their CRC-32 (specification, section 5).

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKeyScope } from '@einvoicing/domain/api-key-scopes'
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

/** One answer for a mistyped, unknown or revoked key, so that a stranger learns nothing from it. */
export function apiKeyInvalid(): ApiError {
  return new ApiError(
    'API_KEY_INVALID',
    'The API key is unknown or was revoked. Compare its last four characters with the keys at /dashboard, or create a new key there.',
  )
}

export function apiKeyNotFound(): ApiError {
  return new ApiError(
    'API_KEY_NOT_FOUND',
    'No API key with this id exists in your organization. GET /dashboard/api/api-keys lists its keys.',
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

/** Reveals nothing: the caller has the whole key. */
export function apiKeyExpired(expiresAt: string): ApiError {
  return new ApiError(
    'API_KEY_INVALID',
    `This API key expired at ${expiresAt}. Create another one in the dashboard, under API keys.`,
  )
}

export function insufficientScope(missing: ApiKeyScope): ApiError {
  return new ApiError(
    'INSUFFICIENT_SCOPE',
    `This request needs the scope ${missing}, which this API key does not have. Use a key with this scope.`,
  )
}

export function networkNotAllowed(network: string): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This API key is not allowed from your network, ${network}. Use it from one of its allowed networks, or use a key without this limit.`,
  )
}
