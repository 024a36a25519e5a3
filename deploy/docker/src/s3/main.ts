/**
 * Makes a new S3 server usable: the bucket with object lock, and a user for the artefacts service
 * that may do what an archive needs and nothing else.
 *
 * `main.js URL BUCKET ROOT=FILE USER=FILE`, where each file holds a secret key. Safe to run again: a
 * secret key that changed in its file is then changed. For MinIO and Silo, its maintained fork:
 * users and policies are not part of S3, so other servers are given them by their own means.
 */

import { readSecretFile } from '@einvoicing/runtime/secret-file'
import { exitOnError } from '@einvoicing/runtime/serve'
import { giveUser, type S3User } from './give-user'

async function main([url = '', bucket = '', ...named]: readonly string[]): Promise<void> {
  const [root, user] = await Promise.all(named.map(readUser))
  if (!root || !user) throw new Error('usage: main.js URL BUCKET ROOT=FILE USER=FILE')
  await giveUser({ url, bucket, root, user })
  process.stdout.write(`S3 is ready: the bucket ${bucket}, the user ${user.accessKey}\n`)
}

async function readUser(text: string): Promise<S3User> {
  const [accessKey = '', file = ''] = text.split('=')
  return { accessKey, secretKey: await readSecretFile(accessKey, file) }
}

exitOnError(main(process.argv.slice(2)), process.env)
