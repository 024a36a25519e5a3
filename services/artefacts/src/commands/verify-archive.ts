import type { ArchiveConfig } from '../config'
import { inspectArchiveFolder } from '../objects/filesystem/inspect-archive'
import type { InspectedObject } from '../objects/inspected-object'
import { inspectBucket } from '../objects/s3/inspect-bucket'

export function verifyArchive(
  config: ArchiveConfig,
  after?: string,
): AsyncIterable<InspectedObject> {
  return config.kind === 's3'
    ? inspectBucket(config, after)
    : inspectArchiveFolder(config.directory, after)
}
