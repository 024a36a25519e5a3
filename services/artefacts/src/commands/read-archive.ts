/** For commands beside a running service: nothing is written or prepared. */

import path from 'node:path'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import type { ArchiveConfig, S3ObjectsConfig } from '../config'
import { keyToFolder } from '../objects/filesystem/filesystem-objects'
import { folderToKey, listObjectFolders } from '../objects/filesystem/list-folders'
import { readObjectFolder } from '../objects/filesystem/object-folder'
import { keySegments, type StoredObject } from '../objects/objects'
import { checkBucket } from '../objects/s3/bucket'
import { PatientConnection } from '../objects/s3/patient-connection'
import { findFirstVersion, listKeys, readVersion } from '../objects/s3/versions'

export interface ArchiveReader {
  list(after: string | undefined, count: number): Promise<string[]>
  get(key: string): Promise<StoredObject | undefined>
  close(): void
}

export function openArchiveReader(config: ArchiveConfig): Promise<ArchiveReader> {
  return config.kind === 's3' ? openBucket(config) : Promise.resolve(openFolder(config.directory))
}

export async function* listFolder(archive: ArchiveReader, folder: string): AsyncGenerator<string> {
  // No name begins with a character before the digits.
  let after = `${folder}0`
  for (;;) {
    const keys = await archive.list(after, keysAPage)
    for (const key of keys) {
      if (!key.startsWith(folder)) return
      yield key
    }
    const last = keys.at(-1)
    if (last === undefined || keys.length < keysAPage) return
    after = last
  }
}

const keysAPage = 1_000

function openFolder(root: string): ArchiveReader {
  return {
    async list(after, count) {
      const from = after === undefined ? [] : keyToFolder(keySegments(after))
      const keys: string[] = []
      for await (const folder of listObjectFolders(root, from)) {
        if (keys.push(folderToKey(folder)) === count) break
      }
      return keys
    },
    async get(key) {
      const folder = keyToFolder(keySegments(key))
      return readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')
    },
    close() {},
  }
}

async function openBucket(config: S3ObjectsConfig): Promise<ArchiveReader> {
  const { url, bucket, region, accessKey, secretKeyFile } = config
  const secretKey = await readSecretFile('S3_SECRET_KEY_FILE', secretKeyFile)
  const connection = new PatientConnection({ url, bucket, region, accessKey }, secretKey)
  try {
    await checkBucket(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    list: (after, count) => listKeys(connection, after, count),
    async get(key) {
      keySegments(key)
      const first = await findFirstVersion(connection, key)
      return first && readVersion(connection, key, first.versionId)
    },
    close: () => connection.close(),
  }
}
