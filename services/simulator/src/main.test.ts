import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { invoiceXml, signXml } from './testdata/documents'

const main = join(__dirname, 'main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'simulator-'))
const started: ChildProcess[] = []

afterAll(() => {
  started.forEach((child) => child.kill('SIGKILL'))
  rmSync(dataDir, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}): ChildProcess {
  const child = fork(main, {
    env: {
      SIMULATOR_PORT: '0',
      SIMULATOR_DATA_DIR: dataDir,
      SIMULATOR_TRUSTED_CERTIFICATES: join(__dirname, 'testdata/keys/ca.pem'),
      LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  started.push(child)
  return child
}

async function startReady(env?: Record<string, string>): Promise<[ChildProcess, string]> {
  const child = start(env)
  const [message] = (await once(child, 'message')) as [{ ready: boolean; port: number }]
  expect(message).toMatchObject({ ready: true })
  return [child, `http://127.0.0.1:${message.port}`]
}

const waitForExit = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit')

const post = (url: string, key: string, document: Buffer): Promise<Response> =>
  fetch(`${url}/v1/submissions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/xml', 'Idempotency-Key': key },
    body: document,
  })

async function readDecision(url: string, key: string): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await fetch(`${url}/v1/submissions?idempotencyKey=${key}`)
    const submission = (await answer.json()) as Record<string, unknown>
    if (submission['status'] !== 'PROCESSING') return submission
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

it('loses nothing it answered when it is killed, and decides it after', async () => {
  const [first, url] = await startReady()
  const documents = Array.from({ length: 20 }, (_, index) =>
    signXml(invoiceXml({ number: `F-${index}` })),
  )
  const answers = documents.map((document, index) => post(url, `k${index}`, document))
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(202)
  first.kill('SIGKILL')
  await waitForExit(first)

  const [second, again] = await startReady()
  for (const index of documents.keys()) {
    expect(await readDecision(again, `k${index}`)).toMatchObject({ status: 'ACCEPTED' })
  }
  const totals = await (await fetch(`${again}/v1/submissions`)).json()
  expect(totals).toEqual({ total: 20, accepted: 20, rejected: 0, processing: 0 })
  second.disconnect()
  expect(await waitForExit(second)).toEqual([0, null])
})

it('leaves signals to its parent, and ends with it', async () => {
  const [child, url] = await startReady()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  // A process that had begun to stop would take no new connection.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await fetch(`${url}/livez`, { headers: { Connection: 'close' } })
    expect(answer.status).toBe(200)
  }
  child.disconnect()
  expect(await waitForExit(child)).toEqual([0, null])
})

it('leaves the processor to the service once it listens, in each of its threads', async () => {
  const [{ pid = 0 }] = await startReady()
  const threads = `/proc/${pid}/task`
  const ids = existsSync(threads) ? readdirSync(threads).map(Number) : [pid]
  const priorities = ids.map((id) => getPriority(id))
  expect(priorities).toEqual(ids.map(() => constants.priority.PRIORITY_BELOW_NORMAL))
})

it('says which setting to change when its port stays taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const child = start({ SIMULATOR_PORT: String(port) })
  const words = readOutput(child)
  expect(await waitForExit(child)).toEqual([1, null])
  expect(await words).toBe(
    `Port ${port} on 127.0.0.1 is in use by another program: ` +
      'stop it, or set SIMULATOR_PORT to a free port.\n',
  )
  taken.close()
})

it('reports all errors in its settings together', async () => {
  const child = start({
    SIMULATOR_PORT: 'x',
    SIMULATOR_TRUSTED_CERTIFICATES: '',
    LOG_LEVEL: 'loud',
  })
  const words = readOutput(child)
  expect(await waitForExit(child)).toEqual([1, null])
  expect(await words).toMatch(/SIMULATOR_PORT[^]*SIMULATOR_TRUSTED_CERTIFICATES[^]*LOG_LEVEL/)
})

async function readOutput(child: ChildProcess): Promise<string> {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()))
  if (child.stderr) await once(child.stderr, 'end')
  return words
}
