/**
 * Redis, for counts that several gateways share. Keeps nothing over an end: a count of this minute
 * is not worth a disk.
 */

import { tmpdir } from 'node:os'
import { findFreePort } from './ports'
import { probeTcp } from './probes'
import { launch } from './launch'
import { type Server, sharedServer } from './server'

export interface RedisOptions {
  port?: number
  password?: string
}

export interface Redis extends Server {
  /** Without the password. */
  url: string
}

export async function startRedis(options: RedisOptions = {}): Promise<Redis> {
  const shared = process.env['TEST_REDIS_URL']
  if (shared && Object.keys(options).length === 0) {
    return { ...sharedServer('TEST_REDIS_URL'), url: shared }
  }
  // It writes nothing, so anyone who is killed before it leaves nothing behind.
  const folder = tmpdir()
  const port = options.port ?? (await findFreePort())
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
  args.push('--save', '', '--appendonly', 'no')
  if (options.password) args.push('--requirepass', options.password)
  const server = await launch({
    server: 'redis-server',
    port,
    args,
    folder,
    ownFolder: false,
    probe: () => probeTcp(port, 'PING\r\n', /^(\+PONG|-NOAUTH)/),
  })
  return { ...server, url: `redis://127.0.0.1:${port}` }
}
