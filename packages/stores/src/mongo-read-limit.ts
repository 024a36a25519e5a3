import type { mongo } from 'mongoose'

const optionsAt = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  estimatedDocumentCount: 0,
  distinct: 2,
} as const

/** Changes `db` itself: do not share it with longer reads. */
export function limitReads(db: mongo.Db, maxTimeMS: number): mongo.Db {
  const plain = db.collection.bind(db)
  // Cached: the driver resolves its options for each one.
  const made = new Map<string, mongo.Collection>()
  db.collection = <Schema extends mongo.Document>(
    name: string,
    options?: mongo.CollectionOptions,
  ) => {
    const known = options ? undefined : made.get(name)
    if (known) return known as unknown as mongo.Collection<Schema>
    const collection = plain<Schema>(name, options)
    if (!options) made.set(name, collection as unknown as mongo.Collection)
    const reads = collection as unknown as Reads
    for (const [read, at] of Object.entries(optionsAt) as [keyof Reads, number][]) {
      reads[read] = limited(reads[read].bind(collection), at, maxTimeMS)
    }
    return collection
  }
  return db
}

type Read = (...args: unknown[]) => unknown
type Reads = Record<keyof typeof optionsAt, Read>

function limited(read: Read, at: number, maxTimeMS: number): Read {
  return (...args) => {
    const before = Array.from({ length: at }, (_, index) => args[index])
    return read(...before, { maxTimeMS, ...(args[at] as object | undefined) })
  }
}
