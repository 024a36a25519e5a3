import { join } from 'node:path'
import { ExaminationThreads } from './examination-threads'

// It includes the start of a thread, on a busy machine too.
const deadlineMs = 8_000
const workerFile = join(__dirname, '../testdata/slow-examination.cjs')

let threads: ExaminationThreads
beforeEach(() => {
  threads = new ExaminationThreads(
    { trustedCertificates: '' },
    { workerFile, threadsMax: 1, deadlineMs },
  )
})
afterEach(() => threads.close())

const examine = (milliseconds: number) =>
  threads.examine(Buffer.from(`${milliseconds}`), new Date(0))

test('documents that wait longer than the deadline for a thread are examined', async () => {
  const durations = Array.from({ length: 11 }, (_, n) => 800 + n)
  const findings = await Promise.all(durations.map(examine))
  expect(findings.map((finding) => 'message' in finding && finding.message)).toEqual(
    durations.map((milliseconds) => `${milliseconds} ms`),
  )
})

test('an examination beyond the deadline ends, and the next one has its full time', async () => {
  const endless = examine(60_000)
  const next = examine(800)
  await expect(endless).rejects.toMatchObject({ name: 'AbortError' })
  expect(await next).toMatchObject({ message: '800 ms' })
})
