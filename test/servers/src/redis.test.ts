import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithOwn } from './describe-with'
import { launch, makePlace } from './launch'
import { findFreePort } from './ports'
import { probeTcp } from './probes'
import { type Redis, startRedis } from './redis'

const send = (redis: Redis, words: string, expected: RegExp, deadlineMs = 30_000) =>
  probeTcp(Number(new URL(redis.url).port), `${words}\r\n`, expected, deadlineMs)

describeWithOwn('redis-server', 'Redis', () => {
  test('loses its counts when it is killed, and starts again', async () => {
    const redis = await startRedis()
    await send(redis, 'INCR count', /:1/)
    await redis.kill9()
    await redis.start()
    await send(redis, 'INCR count', /:1/)
    await redis.pause()
    await expect(send(redis, 'PING', /PONG/, 1_500)).rejects.toThrow('no answer')
    await redis.dispose()
  })

  test('leaves no file behind, even before it is disposed of', async () => {
    const place = await mkdtemp(join(tmpdir(), 'redis-'))
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = place
    const redis = await startRedis().finally(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    })
    await send(redis, 'SET count 1', /OK/)
    expect(await readdir(place)).toEqual([])
    await redis.stop()
    expect(await readdir(place)).toEqual([])
    await redis.dispose()
    await rmdir(place)
  })

  test('rejects access without the password', async () => {
    const redis = await startRedis({ password: 'secret' })
    await send(redis, 'GET count', /-NOAUTH/)
    await redis.dispose()
  })

  test('says what a server wrote that ended before it answered', async () => {
    const recipe = {
      server: 'redis-server' as const,
      port: await findFreePort(),
      args: ['--nonsense', 'yes'],
      ...(await makePlace('redis', undefined)),
      probe: async () => Promise.reject(new Error('not yet')),
    }
    await expect(launch(recipe)).rejects.toThrow(
      /^redis-server on port \d+ ended before it answered; it wrote: [^]*nonsense/,
    )
  })
})
