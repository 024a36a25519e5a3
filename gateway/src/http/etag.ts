import { createValidationError } from '@einvoicing/domain/validation-error'

export function toEtag(sha256: string): string {
  return `"${sha256}"`
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g
const addedByProxy = /-(?:gzip|br|deflate|zstd)"$/

/** Also as a proxy changes a tag (decisions 0171, 0178). */
function isListed(etag: string, list: string): boolean {
  return [...list.matchAll(entityTag)].some(
    ([, opaque]) => opaque?.replace(addedByProxy, '"') === etag,
  )
}

/** Weak comparison (RFC 9110, section 13.1.2). */
export function matchesIfNoneMatch(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || isListed(etag, ifNoneMatch)
}

const entityTags =
  /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/

/** Throws `VALIDATION_ERROR` for an invalid list. */
export function matchesIfMatch(etag: string, ifMatch: string | undefined): boolean {
  const list = ifMatch?.trim()
  if (list === undefined || list === '*') return true
  if (entityTags.test(list)) return isListed(etag, list)
  const message = 'must be the ETag that you read, in double quotes, or *'
  throw createValidationError([{ field: 'If-Match', message }])
}
