/**
 * Conditional requests (RFC 9110, section 13.1): bytes that have not changed are not sent again,
 * and what has changed since it was read is not written over.
 */

import { createValidationError } from '@einvoicing/domain/validation-error'

/** A strong validator: the bytes' own digest. */
export function toEtag(sha256: string): string {
  return `"${sha256}"`
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether `If-None-Match` names it: compared weakly, as the section asks. */
export function matchesIfNoneMatch(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(entityTag)].some(([, opaque]) => opaque === etag)
}

const entityTags =
  /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/

/**
 * Whether `If-Match` holds: no header and `*` always do. Compared strongly, as the section asks, so
 * that a weak tag matches nothing. Throws `VALIDATION_ERROR` for what is no list of entity tags.
 */
export function matchesIfMatch(etag: string, ifMatch: string | undefined): boolean {
  const list = ifMatch?.trim()
  if (list === undefined || list === '*') return true
  if (!entityTags.test(list)) {
    const message = 'must be the ETag of the answer that was read, in double quotes, or *'
    throw createValidationError([{ field: 'If-Match', message }])
  }
  return [...list.matchAll(entityTag)].some(([tag]) => tag === etag)
}
