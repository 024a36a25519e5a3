/**
 * Where the program of each real server is: fetched into `.cache/servers`, or installed.
 */

import { existsSync } from 'node:fs'
import path from 'node:path'

export type ServerName = 'mongod' | 'nats-server' | 'minio' | 'versitygw' | 'redis-server'

export const root = path.join(__dirname, '..', '..', '..')
export const cache = path.join(root, '.cache', 'servers')

export function findBinary(server: ServerName): string | undefined {
  // Of the others, what a distribution installs is too old or not there.
  const folders = server === 'redis-server' ? (process.env['PATH'] ?? '').split(path.delimiter) : []
  return [cache, ...folders].map((folder) => path.join(folder, server)).find(existsSync)
}

/** Throws a sentence for people when it cannot be had. */
export function binaryOf(server: ServerName): string {
  const found = findBinary(server)
  if (found === undefined) throw new Error(`${server} is missing: run npm run provision`)
  return found
}
