export interface StoredObject {
  bytes: Buffer
  mediaType: string
  /** Of `bytes`, lower-case hexadecimal. */
  sha256: string
  /** Not to be deleted before this moment. */
  retainUntil: Date
}

/**
 * Storage of artefacts for ten years. Adapters: `filesystem/`, `s3/`; contract:
 * objects.contract.ts.
 */
export interface Objects {
  /**
   * Writes once and durably: all of the object or nothing of it. The same bytes again succeed and
   * change nothing; other bytes throw `ObjectTaken`. Bytes that do not have their SHA-256, and
   * hostile keys, are defects.
   */
  put(key: string, object: StoredObject): Promise<void>
  /**
   * `undefined` when nothing was ever put there. Bytes that no longer have their SHA-256 are a
   * defect and are not returned.
   */
  get(key: string): Promise<StoredObject | undefined>
  /**
   * The first `count` keys after one, of all that were ever put, in an order that never changes.
   * Empty at the end.
   */
  list(after: string | undefined, count: number): Promise<string[]>
  /** Proves that an object could be written now: SERVICE_UNAVAILABLE when not. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The key already holds other bytes. */
export class ObjectTaken extends Error {
  override readonly name = 'ObjectTaken'

  constructor(key: string) {
    super(`${key} already holds other bytes`)
  }
}

const segment = /^[a-z0-9][a-z0-9._-]{0,127}$/

/**
 * The parts of a key: two to six names of lower-case letters, digits, `.`, `_` and `-`, joined by
 * `/`. Throws `RangeError` for anything else, so that no key can climb out of its folder or mean
 * two files.
 */
export function keySegments(key: string): string[] {
  const segments = key.split('/')
  const fits = segments.length >= 2 && segments.length <= 6
  if (!fits || !segments.every((name) => segment.test(name))) {
    throw new RangeError(`not an object key: ${JSON.stringify(key.slice(0, 200))}`)
  }
  return segments
}
