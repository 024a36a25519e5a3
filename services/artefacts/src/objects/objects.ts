export interface StoredObject {
  bytes: Buffer
  mediaType: string
  /** Of `bytes`, lower-case hexadecimal. */
  sha256: string
  retainUntil: Date
}

export interface Objects {
  /**
   * Durable, all or nothing; what is stored has been compared, by its bytes or the digest that the
   * server lists. The same bytes again change nothing; other bytes throw `ObjectTaken`.
   */
  put(key: string, object: StoredObject): Promise<void>
  /** For what can be drawn again: nothing is read back. False: other bytes are there, unlocked. */
  add(key: string, object: StoredObject): Promise<boolean>
  /** An object that does not match its SHA-256 is a defect. */
  get(key: string): Promise<StoredObject | undefined>
  /** The first `count` keys after `after`, in a fixed order; empty at the end. */
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

/** Throws `RangeError` for an invalid key, so that none can leave its folder or mean two files. */
export function keySegments(key: string): string[] {
  const segments = key.split('/')
  const fits = segments.length >= 2 && segments.length <= 6
  if (!fits || !segments.every((name) => segment.test(name))) {
    throw new RangeError(`not an object key: ${JSON.stringify(key.slice(0, 200))}`)
  }
  return segments
}
