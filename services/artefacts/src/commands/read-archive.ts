/** For commands beside a running service: nothing is written or prepared. */

import path from 'node:path'
import type { ArchiveConfig, S3ObjectsConfig } from '../config'
import { keyToFolder, listFolderKeys } from '../objects/filesystem/list-folders'
import { readObjectFolder } from '../objects/filesystem/object-folder'
import { keySegments, type StoredObject } from '../objects/objects'
import { openPatientConnection } from '../objects/s3/patient-connection'
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
    list: (after, count) => listFolderKeys(root, after, count),
    async get(key) {
      const folder = keyToFolder(key)
      return readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')
    },
    close() {},
  }
}

async function openBucket(config: S3ObjectsConfig): Promise<ArchiveReader> {
  const connection = await openPatientConnection(config)
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
