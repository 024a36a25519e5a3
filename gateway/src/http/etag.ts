/**
 * Conditional requests (RFC 9110, section 13.1.2): bytes that have not changed are not sent again.
 */

/** A strong validator: the bytes' own digest. */
export function etagOf(sha256: string): string {
  return `"${sha256}"`
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether `If-None-Match` names it: compared weakly, as the section asks. */
export function isNamedBy(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(entityTag)].some(([, opaque]) => opaque === etag)
}
