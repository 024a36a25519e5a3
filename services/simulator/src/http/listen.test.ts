import http, { type RequestListener } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { createLog } from '@einvoicing/runtime/log'
import { listen, PortTaken } from './listen'

const log = createLog('silent')

it('waits for a port that the process before still uses, or says what to change', async () => {
  const predecessor = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => predecessor.once('listening', resolve))
  const { port } = predecessor.address() as AddressInfo
  const address = { host: '127.0.0.1', port }
  const refused = listen(address, () => () => undefined, { log, patienceMs: 0 })
  await expect(refused).rejects.toThrow(PortTaken)
  await expect(refused).rejects.toThrow(/SIMULATOR_PORT/)

  const answer: RequestListener = (_request, response) => void response.end('here')
  const patient = listen(address, () => answer, { log })
  predecessor.close()
  const listener = await patient
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here')
  await listener.close()
})

it('logs a failed accept, and goes on', async () => {
  const created = jest.spyOn(http, 'createServer')
  const lines: string[] = []
  const listener = await listen(
    { host: '127.0.0.1', port: 0 },
    () => (_request, response) => void response.end('here'),
    { log: createLog('error', { write: (line: string) => void lines.push(line) }) },
  )
  const server = created.mock.results[0]!.value as http.Server
  created.mockRestore()
  const failure = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })
  try {
    expect(() => server.emit('error', failure)).not.toThrow()
    expect(lines.join('')).toContain('accept EMFILE')
    expect(await (await fetch(`http://127.0.0.1:${listener.port}`)).text()).toBe('here')
  } finally {
    await listener.close()
  }
})
