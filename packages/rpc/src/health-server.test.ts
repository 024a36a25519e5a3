import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Readiness } from '@einvoicing/proto/readiness'
import { openHealthServer } from './health-server'
import { createLog } from '@einvoicing/runtime/log'

const log = createLog('silent')

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('reports start, readiness, unavailable dependencies, and stop', async () => {
  const port = await freePort()
  const health = await openHealthServer({ host: '127.0.0.1', port }, { log })
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [answer.status, await answer.text()]
  }
  const reported = async (path: string) => {
    const [status, text] = await get(path)
    return [status, JSON.parse(String(text))]
  }
  const ready = () => reported('/readyz')
  const serving = () => reported('/servingz')
  expect(await serving()).toEqual([503, { status: 'starting' }])
  expect(await ready()).toEqual([503, { status: 'starting' }])

  let found: Readiness = { dependencies: [{ name: 'mongodb', essential: true, problem: '' }] }
  const work = health.startServing(async () => found)
  expect(await ready()).toEqual([200, { status: 'ready', dependencies: { mongodb: 'ok' } }])
  expect(await serving()).toEqual([200, { status: 'serving' }])
  found = { dependencies: [{ name: 's3', essential: false, problem: 'is not available' }] }
  expect(await ready()).toEqual([
    200,
    { status: 'degraded', dependencies: { s3: 'is not available' } },
  ])
  found = { dependencies: [{ name: 'mongodb', essential: true, problem: 'is not available' }] }
  expect(await ready()).toEqual([
    503,
    { status: 'waiting', dependencies: { mongodb: 'is not available' } },
  ])
  expect(await serving()).toEqual([200, { status: 'serving' }])

  expect(await get('/livez')).toEqual([200, '{"status":"live"}'])
  expect((await get('/metrics'))[0]).toBe(200)
  expect((await get('/'))[0]).toBe(404)

  await work.close()
  expect(await ready()).toEqual([503, { status: 'stopping' }])
  expect(await serving()).toEqual([503, { status: 'stopping' }])
  await health.close()
  await expect(get('/livez')).rejects.toThrow()
})

test('an address in use is reported with its setting', async () => {
  const port = await freePort()
  const health = await openHealthServer({ host: '127.0.0.1', port }, { log })
  await expect(openHealthServer({ host: '127.0.0.1', port }, { log })).rejects.toThrow(
    `HEALTH_ADDRESS 127.0.0.1:${port}: cannot listen`,
  )
  await health.close()
})

test('a failed accept is logged and does not end the process', async () => {
  const created = jest.spyOn(http, 'createServer')
  const lines: string[] = []
  const health = await openHealthServer(
    { host: '127.0.0.1', port: 0 },
    { log: createLog('error', { write: (line: string) => void lines.push(line) }) },
  )
  const server = created.mock.results[0]!.value as http.Server
  created.mockRestore()
  const failure = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })
  try {
    expect(() => server.emit('error', failure)).not.toThrow()
    expect(lines.join('')).toContain('accept EMFILE')
    expect((await fetch(`http://127.0.0.1:${health.port}/livez`)).status).toBe(200)
  } finally {
    await health.close()
  }
})
