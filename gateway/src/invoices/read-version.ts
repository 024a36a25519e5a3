/**
 * `If-Match` (RFC 9110, section 13.1.1): which version of an invoice a change was made from. The
 * version is its `updatedAt`, as an entity tag.
 */

import { createValidationError } from '@einvoicing/domain/validation-error'

const strongTag = /^"([\x21\x23-\x7e\x80-\xff]+)"$/

/**
 * `undefined` where any version will do: no header, or `*`. Throws `VALIDATION_ERROR` for what
 * names no version, rather than change what no one looked at.
 */
export function readVersion(ifMatch: string | undefined): string | undefined {
  const given = ifMatch?.trim()
  if (given === undefined || given === '*') return undefined
  const [, updatedAt] = strongTag.exec(given) ?? []
  if (updatedAt !== undefined) return updatedAt
  const message = `must be updatedAt as it was read, in double quotes: "2026-05-03T09:30:00.000Z"`
  throw createValidationError([{ field: 'If-Match', message }])
}
