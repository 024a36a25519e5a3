/**
 * An auditor's command: reads every object of the archive that the settings name, compares its
 * SHA-256, asks for its lock, and tells what is wrong. Status 0 only when nothing is.
 */

import path from 'node:path'
import { EnvReader } from '@einvoicing/runtime/env'
import { readArchiveConfig, type ArchiveConfig } from '../config'
import { inspectFolder } from '../objects/filesystem/inspection'
import type { Inspected } from '../objects/inspected'
import { inspectS3 } from '../objects/s3/inspection'

async function main(): Promise<void> {
  const env = new EnvReader(process.env)
  const config = readArchiveConfig(env, path.resolve(env.text('DATA_DIR', './data')))
  env.throwErrors()
  let objects = 0
  let faults = 0
  for await (const { fault } of inspect(config)) {
    objects += 1
    if (fault === undefined) continue
    faults += 1
    process.stdout.write(`${fault}\n`)
  }
  process.stdout.write(`${objects} objects read, ${faults} faults\n`)
  if (faults > 0) process.exitCode = 1
}

function inspect(config: ArchiveConfig): AsyncIterable<Inspected> {
  return config.kind === 's3' ? inspectS3(config) : inspectFolder(config.directory)
}

main().catch((error: unknown) => {
  const { message, cause } = error as Error
  process.stderr.write(`${cause instanceof Error ? cause.message : message}\n`)
  process.exitCode = 2
})
