/**
 * A child process that puts bytes of its own under each key that it is given on a line, at once, as
 * others do with the same key at the same moment. It prints `ready`, then for each key whether it
 * was told that its bytes are kept.
 */

import { createInterface } from 'node:readline'
import { systemClock } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import type { S3ObjectsConfig } from '../config'
import { sha256Hex } from '../objects/digest'
import { ObjectTaken } from '../objects/objects'
import { openS3Objects } from '../objects/s3/s3-objects'

async function main(config: S3ObjectsConfig, name: string): Promise<void> {
  const objects = await openS3Objects(config, { now: systemClock, log: createLog('silent') })
  const bytes = Buffer.from(`<Invoice by="${name}"/>`)
  const object = {
    bytes,
    mediaType: 'application/xml',
    sha256: sha256Hex(bytes),
    retainUntil: new Date('2036-12-31T23:59:59.999Z'),
  }
  process.stdout.write('ready\n')
  for await (const key of createInterface(process.stdin)) {
    const lost = await objects.put(key, object).catch((error: unknown) => error)
    if (lost !== undefined && !(lost instanceof ObjectTaken)) throw lost as Error
    process.stdout.write(lost === undefined ? 'kept\n' : 'taken\n')
  }
  await objects.close()
}

void main(JSON.parse(process.argv[2] as string) as S3ObjectsConfig, process.argv[3] as string)
