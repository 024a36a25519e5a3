import { join } from 'node:path'
import { ExaminationThreads } from './examination-threads'

const deadlineMs = 1_500
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
  const findings = await Promise.all([500, 501, 502, 503, 504].map(examine))
  expect(findings.map((finding) => 'message' in finding && finding.message)).toEqual(
    [500, 501, 502, 503, 504].map((milliseconds) => `${milliseconds} ms`),
  )
})

test('an examination beyond the deadline ends, and the next one has its full time', async () => {
  const endless = examine(60_000)
  const next = examine(500)
  await expect(endless).rejects.toMatchObject({ name: 'AbortError' })
  expect(await next).toMatchObject({ message: '500 ms' })
})
