/**
 * S3 servers with object lock: MinIO, and versitygw as the second opinion.
 */

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort } from './ports'
import { probeHttp } from './probes'
import { launch, makePlace } from './launch'
import { type Server, sharedServer } from './server'

export interface S3Options {
  /** Where the objects are kept; else a temporary folder, removed by `dispose`. */
  folder?: string
  port?: number
  accessKey?: string
  secretKey?: string
}

export interface S3 extends Server {
  url: string
  accessKey: string
  secretKey: string
  region: string
}

const region = 'us-east-1'

// Asked by a stranger. MinIO's page of health is ready before its users are read: until then every
// call is answered 503.
const notYours = 403

export async function startMinio(options: S3Options = {}): Promise<S3> {
  const shared = sharedS3(options)
  if (shared) return shared
  const place = await choosePlace('minio', options)
  const { folder, port, url, accessKey, secretKey } = place
  const server = await launch({
    ...place,
    server: 'minio',
    args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, folder],
    env: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_REGION: region,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    probe: () => probeHttp(url, notYours),
  })
  return { ...server, url, accessKey, secretKey, region }
}

export async function startVersitygw(options: S3Options = {}): Promise<S3> {
  const place = await choosePlace('versitygw', options)
  const { folder, port, url, accessKey, secretKey } = place
  const [objects, versions] = [path.join(folder, 'objects'), path.join(folder, 'versions')]
  await Promise.all([objects, versions].map((name) => mkdir(name, { recursive: true })))
  const endpoint = ['--port', `127.0.0.1:${port}`, '--region', region, '--quiet']
  const server = await launch({
    ...place,
    server: 'versitygw',
    args: [...endpoint, 'posix', '--versioning-dir', versions, objects],
    env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    probe: () => probeHttp(url, notYours),
  })
  return { ...server, url, accessKey, secretKey, region }
}

async function choosePlace(program: string, options: S3Options) {
  const port = options.port ?? (await findFreePort())
  return {
    ...(await makePlace(program, options.folder)),
    port,
    url: `http://127.0.0.1:${port}`,
    accessKey: options.accessKey ?? 'einvoicing',
    secretKey: options.secretKey ?? 'einvoicing-secret',
  }
}

function sharedS3(options: S3Options): S3 | undefined {
  const url = process.env['TEST_S3_URL']
  if (!url || Object.keys(options).length > 0) return undefined
  return {
    ...sharedServer('TEST_S3_URL'),
    url,
    accessKey: process.env['TEST_S3_ACCESS_KEY'] ?? '',
    secretKey: process.env['TEST_S3_SECRET_KEY'] ?? '',
    region: process.env['TEST_S3_REGION'] ?? region,
  }
}
