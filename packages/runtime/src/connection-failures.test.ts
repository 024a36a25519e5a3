import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { connectionFailures, isConnectionFailure, isConnectionCut } from './connection-failures'

const failed = (code: unknown) => Object.assign(new Error('x'), { code })

describe.each(Object.entries(connectionFailures))('%s', (code, kind) => {
  it(`is a connection that is ${kind}, however it is wrapped`, () => {
    const wrapped = new Error('the client says', { cause: failed(code) })
    const both = new AggregateError([failed('ERR_OTHER'), failed(code)], 'every address failed')
    for (const error of [failed(code), wrapped, both, new Error('x', { cause: both })]) {
      expect([isConnectionFailure(error), isConnectionCut(error)]).toEqual([true, kind === 'cut'])
    }
  })
})

it.each([
  'ERR_ASSERTION',
  'ERR_INVALID_ARG_TYPE',
  'ENOSPC',
  'EACCES',
  'toString',
  11_000,
  undefined,
])('%s is not a connection failure', (code) => {
  expect(isConnectionFailure(failed(code))).toBe(false)
})

it('stops at circular causes', () => {
  const error = new Error('x')
  error.cause = error
  expect(isConnectionFailure(error)).toBe(false)
  expect(isConnectionFailure('ECONNRESET')).toBe(false)
})

describe('what Node.js itself throws', () => {
  it('a port without a listener', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const socket = net.connect(port, '127.0.0.1')
    const [error] = (await once(socket, 'error')) as [unknown]
    expect([isConnectionFailure(error), isConnectionCut(error)]).toEqual([true, false])
  })

  it('when the other side is killed under what is written', async () => {
    const server = net.createServer((one) => one.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
    const write = setInterval(() => socket.write(Buffer.alloc(100_000)), 1)
    const [error] = (await once(socket, 'error')) as [unknown]
    clearInterval(write)
    server.close()
    expect(isConnectionCut(error)).toBe(true)
  })

  it('when a stream is used after its end', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    stream.destroy()
    const error: unknown = await new Promise((resolve) => stream.write('x', resolve))
    expect(isConnectionCut(error)).toBe(true)
    expect(isConnectionCut(await finished(stream).catch((thrown: unknown) => thrown))).toBe(true)
  })
})
