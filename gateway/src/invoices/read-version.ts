// The version of an invoice is its `updatedAt`, as an entity tag.

import { createValidationError } from '@einvoicing/domain/validation-error'

const strongTag = /^"([\x21\x23-\x7e\x80-\xff]+)"$/

/** `undefined`: any version. Throws `VALIDATION_ERROR` if the header names none. */
export function readVersion(ifMatch: string | undefined): string | undefined {
  const header = ifMatch?.trim()
  if (header === undefined || header === '*') return undefined
  const [, updatedAt] = strongTag.exec(header) ?? []
  if (updatedAt !== undefined) return updatedAt
  const message = `must be the updatedAt that you read, in double quotes: "2026-05-03T09:30:00.000Z"`
  throw createValidationError([{ field: 'If-Match', message }])
}
