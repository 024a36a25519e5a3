/** What the machine itself can do: signatures, appends to disk, inserts into MongoDB. */

import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { MongoClient } from 'mongodb'

/** A signed invoice as it is stored. */
const recordBytes = 12 * 1024

export function countSignatures(algorithm: 'ecp256' | 'rsa2048', seconds: number): number {
  const key: KeyObject =
    algorithm === 'ecp256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const text = randomBytes(1_000)
  return countPerSecond(seconds, () => void sign('sha256', text, key))
}

/** One after another, each on the disk before the next. */
export function countDurableAppends(folder: string, seconds: number): number {
  const file = openSync(path.join(folder, 'appends'), 'a')
  const record = Buffer.alloc(recordBytes, 'x')
  try {
    return countPerSecond(seconds, () => {
      writeSync(file, record)
      fdatasyncSync(file)
    })
  } finally {
    closeSync(file)
  }
}

function countPerSecond(seconds: number, once: () => void): number {
  const beganAt = performance.now()
  let count = 0
  for (; performance.now() - beganAt < seconds * 1_000; count += 1) once()
  return Math.round(count / seconds)
}

/** As the service writes. */
export const durably = { writeConcern: { w: 'majority', journal: true } } as const

/** So many inserts under way at once, each durable. */
export async function countMongoInserts(
  url: string,
  { atOnce, seconds }: { atOnce: number; seconds: number },
): Promise<number> {
  const client = await MongoClient.connect(url, durably)
  try {
    const records = client.db('floor').collection('record')
    const endsAt = performance.now() + seconds * 1_000
    let inserted = 0
    const insert = async () => {
      while (performance.now() < endsAt) {
        await records.insertOne({ content: randomBytes(recordBytes) })
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
