/**
 * Makes a new MongoDB usable: a replica set of this one member, an administrator, and for each
 * service a user of its own, who may read and write the one database of the same name.
 *
 * `main.js HOST:PORT ADMIN=FILE SERVICE=FILE…`, where HOST:PORT is how the services will reach it
 * and each file holds a password. Runs beside the server, in its network: the first user may be
 * made from loopback alone. Safe to run again; a password that changed in its file is then changed.
 */

import { readSecretFile } from '@einvoicing/runtime/secret-file'
import { exitOnError } from '@einvoicing/runtime/serve'
import { openReplicaSet } from './replica-set'
import type { User } from './server'
import { giveUsers } from './users'

async function main([host = '', ...named]: readonly string[]): Promise<void> {
  const [admin, ...services] = await Promise.all(named.map(readUser))
  if (!admin || !/^[\w.-]+:\d+$/.test(host)) {
    throw new Error('usage: main.js HOST:PORT ADMIN=FILE SERVICE=FILE…')
  }
  await openReplicaSet(host, report)
  await giveUsers({ admin, services })
  report(`MongoDB is ready: a replica set of ${host}, users ${named.join(', ')}`)
}

async function readUser(text: string): Promise<User> {
  const [name = '', file = ''] = text.split('=')
  return { name, password: await readSecretFile(name, file) }
}

function report(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

exitOnError(main(process.argv.slice(2)), process.env)
