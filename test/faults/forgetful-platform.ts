/**
 * A clearance platform that knows no idempotency: each POST is a submission of its own. What was
 * sent twice shows.
 */

import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Submission {
  submissionId: string
  invoiceId: string
  documentSha256: string
  receivedAt: string
}

export interface ForgetfulPlatform {
  url: string
  /** `POST` or `GET` and the invoice's id, in the order of their arrival. */
  requests: string[]
  /** What becomes of a POST: answered, taken without an answer, or lost without an answer. */
  onSubmission: 'answer' | 'take-silently' | 'lose-silently'
  isDeciding: boolean
  close(): Promise<void>
}

export async function openForgetfulPlatform(): Promise<ForgetfulPlatform> {
  const submissions: Submission[] = []
  const platform: ForgetfulPlatform = {
    url: '',
    requests: [],
    onSubmission: 'answer',
    isDeciding: true,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const server = createServer((request, response) => {
    void exchange(platform, submissions, { request, response })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return platform
}

async function exchange(
  platform: ForgetfulPlatform,
  submissions: Submission[],
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(request.url ?? '', platform.url)
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'POST') {
    const invoiceId = String(request.headers['idempotency-key'])
    platform.requests.push(`POST ${invoiceId}`)
    if (platform.onSubmission === 'lose-silently') return
    const submission: Submission = {
      submissionId: randomUUID(),
      invoiceId,
      documentSha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
      receivedAt: new Date().toISOString(),
    }
    submissions.push(submission)
    if (platform.onSubmission === 'answer') answer(202, submission)
    return
  }
  const key = searchParams.get('idempotencyKey')
  const id = pathname.split('/')[3]
  const found = submissions.find(
    ({ invoiceId, submissionId }) => invoiceId === key || submissionId === id,
  )
  if (key !== null) platform.requests.push(`GET ${key}`)
  if (!found) answer(404, { code: 'SUBMISSION_NOT_FOUND' })
  else answer(200, { ...found, ...decision(platform) })
}

function decision({ isDeciding, url }: ForgetfulPlatform): object {
  if (!isDeciding) return { status: 'PROCESSING' }
  return {
    status: 'ACCEPTED',
    reference: `REF-${randomUUID()}`,
    qrCode: `${url}/verify?p=x`,
    qrPayload: 'x',
    decidedAt: new Date().toISOString(),
  }
}
