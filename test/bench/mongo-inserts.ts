import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'

/** With so many inserts on the way at once. */
export async function mongoInsertsPerSecond(
  url: string,
  { bytes, atOnce, seconds }: { bytes: number; atOnce: number; seconds: number },
): Promise<number> {
  const client = await MongoClient.connect(url, { writeConcern: { w: 'majority', journal: true } })
  try {
    const floor = client.db('floor').collection('record')
    const endsAt = performance.now() + seconds * 1000
    let inserted = 0
    const insert = async () => {
      while (performance.now() < endsAt) {
        await floor.insertOne({ content: randomBytes(bytes) })
        inserted += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, insert))
    await client.db('floor').dropDatabase()
    return Math.round(inserted / seconds)
  } finally {
    await client.close()
  }
}
