import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { VerificationThreads } from './verification-threads'
import type { VerificationTask } from './worker'

const folder = mkdtempSync(path.join(tmpdir(), 'verification-threads-'))
const workerFile = path.join(folder, 'worker.js')
// Its start and its work take as long as the test says, by the clock and not by the processor.
writeFileSync(
  workerFile,
  `const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
wait(2_000)
exports.verifyOnThread = ({ begun, document }) => {
  begun.postMessage(undefined)
  wait(document[0] * 1_000)
  return { report: { valid: true }, sha256: '' }
}
`,
)
afterAll(() => rmSync(folder, { recursive: true }))

const open: VerificationThreads[] = []
afterEach(() => Promise.all(open.splice(0).map((threads) => threads.close())))
const openThreads = (options: ConstructorParameters<typeof VerificationThreads>[0]) => {
  const threads = new VerificationThreads({ workerFile, ...options })
  open.push(threads)
  return threads
}
const taking = (seconds: number): VerificationTask => ({
  document: new Uint8Array([seconds]),
  now: new Date(),
  signers: undefined,
  timeStamps: undefined,
})
const later = (message: string) => ({
  code: 'SERVICE_UNAVAILABLE',
  retryAfterSeconds: 5,
  message: expect.stringContaining(message),
})

it('counts the time of a document from when its thread has begun', async () => {
  const threads = openThreads({ deadlineMs: 5_000 })
  const { report } = await threads.verify(taking(0), 'org-1')
  expect(report).toMatchObject({ valid: true })
  await expect(threads.verify(taking(200), 'org-1')).rejects.toMatchObject(
    later('The document was not verified in time: send it again later.'),
  )
}, 60_000)

it('waits no longer for a thread than its bound', async () => {
  const threads = openThreads({ beginMs: 500 })
  await expect(threads.verify(taking(0), 'org-1')).rejects.toMatchObject(later('not verified'))
}, 60_000)

it('waits no longer for its turn than its bound', async () => {
  const threads = openThreads({ threadsMax: 1, turnMs: 300 })
  const first = threads.verify(taking(0), 'org-1')
  await expect(threads.verify(taking(0), 'org-2')).rejects.toMatchObject(
    later('Too many documents'),
  )
  await first
}, 60_000)

it('rejects one more than the queue holds, and makes space for another client', async () => {
  const threads = openThreads({ threadsMax: 1, waitingMax: 2, turnMs: 60_000 })
  const many = ['first', 'second', 'third'].map(() => threads.verify(taking(0), 'org-1'))
  const third = expect(many[2]).rejects.toMatchObject(later('Too many documents'))
  await expect(threads.verify(taking(0), 'org-1')).rejects.toMatchObject(
    later('Too many documents are being verified at once: send it again in 5 seconds.'),
  )
  await threads.verify(taking(0), 'org-2')
  await Promise.all([many[0], many[1], third])
}, 60_000)
