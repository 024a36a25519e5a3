import type { ArchiveConfig } from '../config'
import { inspectFolder } from '../objects/filesystem/inspection'
import type { Inspected } from '../objects/inspected'
import { inspectS3 } from '../objects/s3/inspection'

/** Reads every object of the archive, compares its SHA-256 and checks its lock. */
export function verifyArchive(config: ArchiveConfig): AsyncIterable<Inspected> {
  return config.kind === 's3' ? inspectS3(config) : inspectFolder(config.directory)
}
