export interface StoredObject {
  bytes: Buffer
  mediaType: string
  /** Of `bytes`, lower-case hexadecimal. */
  sha256: string
  retainUntil: Date
}

export interface Objects {
  /**
   * Writes once and durably, all or nothing, and reads back what was stored and its lock. The same
   * bytes again change nothing; other bytes throw `ObjectTaken`. A wrong SHA-256 and a hostile key
   * are defects.
   */
  put(key: string, object: StoredObject): Promise<void>
  /** As `put` for what can be drawn again: an existing object stays, and nothing is read back. */
  add(key: string, object: StoredObject): Promise<void>
  /** A stored object that does not match its SHA-256 is a defect and not returned. */
  get(key: string): Promise<StoredObject | undefined>
  /** The first `count` keys after `after`, in an order that never changes; empty at the end. */
  list(after: string | undefined, count: number): Promise<string[]>
  /** Throws SERVICE_UNAVAILABLE when an object could not be written now. */
  check(): Promise<void>
  close(): Promise<void>
}

export class ObjectTaken extends Error {
  override readonly name = 'ObjectTaken'

  constructor(key: string) {
    super(`${key} already exists with other bytes`)
  }
}

const segment = /^[a-z0-9][a-z0-9._-]{0,127}$/

/**
 * Two to six names of lower-case letters, digits, `.`, `_` and `-`, joined by `/`. Throws
 * `RangeError` for anything else, so that no key can leave its folder or mean two files.
 */
export function keySegments(key: string): string[] {
  const segments = key.split('/')
  const fits = segments.length >= 2 && segments.length <= 6
  if (!fits || !segments.every((name) => segment.test(name))) {
    throw new RangeError(`not an object key: ${JSON.stringify(key.slice(0, 200))}`)
  }
  return segments
}
