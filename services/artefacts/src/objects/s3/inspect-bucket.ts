import type { S3ObjectsConfig } from '../../config'
import { findReadProblem, type InspectedObject } from '../inspected-object'
import type { S3Connection } from './connection'
import { openPatientConnection } from './patient-connection'
import { isLocked, listVersions, readVersion, type ListedVersion } from './versions'

const atOnce = 8

/** Reads the first version of every key past `after`, and its lock. Changes nothing. */
export async function* inspectBucket(
  config: S3ObjectsConfig,
  after?: string,
): AsyncGenerator<InspectedObject> {
  const connection = await openPatientConnection(config)
  try {
    const waiting: ListedVersion[] = []
    for await (const version of firstVersions(connection, after)) {
      if (waiting.push(version) < atOnce) continue
      yield* await inspectAll(connection, waiting.splice(0))
    }
    yield* await inspectAll(connection, waiting)
  } finally {
    connection.close()
  }
}

async function* firstVersions(
  connection: S3Connection,
  after: string | undefined,
): AsyncGenerator<ListedVersion> {
  let first: ListedVersion | undefined
  for await (const page of listVersions(connection, '', after)) {
    for (const version of page) {
      // Some servers begin with the marker's own versions.
      if (version.isDeleteMarker || version.name === after) continue
      if (first && first.name !== version.name) yield first
      first = version
    }
  }
  if (first) yield first
}

function inspectAll(
  connection: S3Connection,
  versions: ListedVersion[],
): Promise<InspectedObject[]> {
  return Promise.all(versions.map((version) => inspectVersion(connection, version)))
}

async function inspectVersion(
  connection: S3Connection,
  { name: key, versionId: version }: ListedVersion,
): Promise<InspectedObject> {
  let bytes: Buffer | undefined
  const problem = await findReadProblem(async () => {
    const object = await readVersion(connection, key, version)
    bytes = object.bytes
    if (await isLocked(connection, key, { version, object })) return undefined
    return `the archived object ${key}, version ${version}, is not locked for its ten years`
  })
  return { key, problem, bytes }
}
