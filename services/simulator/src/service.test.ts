import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformLimits } from './limits'
import { invoiceXml, signXml } from './testdata/documents'
import type { Finding } from './examination/examine-document'
import { startPlatform, putBehaviour, type TestPlatform } from './testdata/start-platform'

type Json = Record<string, unknown>

let platform: TestPlatform
beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform.stop())
afterEach(() => platform.behave(sound))

const sound = {
  latencyMs: 0,
  ...Object.fromEntries(
    ['error', 'cut', 'lostAnswer', 'html', 'unauthorized', 'rateLimited', 'alreadyReported'].map(
      (name) => [`${name}Rate`, 0],
    ),
  ),
  seed: null,
}

let count = 0
const nextNumber = (): string => `F-${(count += 1)}`
const signedFor = (buyerIce: string, number = nextNumber()): Buffer =>
  signXml(invoiceXml({ number, buyerIce }))
const json = async (answer: Response): Promise<Json> => (await answer.json()) as Json

async function submit(document: Buffer, key = nextNumber()): Promise<string> {
  const answer = await platform.post(key, document)
  expect(answer.status).toBe(202)
  return (await json(answer))['submissionId'] as string
}

async function totals(): Promise<Json> {
  return json(await fetch(`${platform.url}/v1/submissions`))
}

/** Polls until it is decided; bounded by the test's own deadline. */
async function decided(id: string): Promise<Json> {
  for (;;) {
    const submission = await platform.read(id)
    if (submission['status'] !== 'PROCESSING') return submission
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a submission', () => {
  beforeAll(() => platform.behave({ latencyMs: 0 }))

  it('a valid invoice is accepted, with a reference and a QR code', async () => {
    const document = signedFor('009876543000012', 'F-QR')
    const accepted = await decided(await submit(document))
    expect(accepted).toMatchObject({
      status: 'ACCEPTED',
      reference: expect.stringMatching(/^SIM-2030-\d{10}$/) as string,
      errorCode: null,
      errorMessage: null,
      decidedAt: '2030-06-01T00:00:00.000Z',
    })
    const qrCode = accepted['qrCode'] as string
    expect(qrCode).toMatch(/\/v\/[\da-z]+-[\w-]{12}$/)
    expect(qrCode.length).toBeLessThan(50)

    const answer = await fetch(qrCode, { headers: { Accept: 'application/json' } })
    expect(await json(answer)).toMatchObject({
      valid: true,
      reference: accepted['reference'],
      number: 'F-QR',
      amountTtc: '120.00',
      currency: 'MAD',
    })
    const page = await (await fetch(qrCode, { headers: { Accept: 'text/html' } })).text()
    for (const words of ['F-QR', '20/11/2026', '120,00 MAD', 'Atelier Nord'])
      expect(page).toContain(words)
    // What it is comes before what it says.
    const order = ['ENVIRONNEMENT DE TEST', '<h1', accepted['reference'] as string]
    expect(order.map((words) => page.indexOf(words))).toEqual(
      order.map((words) => page.indexOf(words)).sort((a, b) => a - b),
    )
    // The address that older versions printed leads to the same.
    const older = `${platform.url}/verify?p=${accepted['qrPayload'] as string}`
    expect(await (await fetch(older, { headers: { Accept: 'text/html' } })).text()).toBe(page)
  })

  it('that no code of ours names is not found, and the page says so', async () => {
    const code = `${platform.url}/v/1-AAAAAAAAAAAA`
    const answer = await fetch(code, { headers: { Accept: 'text/html' } })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('La signature de ce code n’est pas valide')
  })

  it('is answered the same again for the same key and document, and counted once', async () => {
    const document = signedFor('009876543000012')
    const before = (await totals())['total'] as number
    const first = await json(await platform.post('again', document))
    expect(await json(await platform.post('again', document))).toEqual(first)
    expect((await totals())['total']).toBe(before + 1)
    const found = await fetch(`${platform.url}/v1/submissions?idempotencyKey=again`)
    expect(await json(found)).toMatchObject({ submissionId: first['submissionId'] })
  })

  it('under a used key with another document is a conflict, and keeps nothing', async () => {
    await submit(signedFor('009876543000012'), 'taken')
    const before = await totals()
    const answer = await platform.post('taken', signedFor('009876543000012'))
    expect(answer.status).toBe(409)
    expect(await json(answer)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect((await totals())['total']).toBe(before['total'])
  })

  it('a number that the seller already reported ends as a duplicate', async () => {
    expect(await decided(await submit(signedFor('009876543000012', 'F-TWICE')))).toMatchObject({
      status: 'ACCEPTED',
    })
    const other = signXml(invoiceXml({ number: 'F-TWICE', description: 'other' }))
    expect(await decided(await submit(other))).toMatchObject({
      status: 'REJECTED',
      errorCode: 'DUPLICATE_INVOICE',
      reference: null,
      qrCode: null,
      qrPayload: null,
    })
  })

  it('of the same number by another seller is another invoice', async () => {
    const other = invoiceXml({ number: 'F-TWICE', sellerIce: '001234567000088' })
    expect(await decided(await submit(signXml(other)))).toMatchObject({ status: 'ACCEPTED' })
  })

  it('that was rejected leaves its number free for the corrected document', async () => {
    const wrong = signXml(invoiceXml({ number: 'F-CORRECTED', payable: '1' }))
    expect(await decided(await submit(wrong))).toMatchObject({ errorCode: 'AMOUNT_MISMATCH' })
    expect(await decided(await submit(signedFor('009876543000012', 'F-CORRECTED')))).toMatchObject({
      status: 'ACCEPTED',
    })
  })

  it('shows its decision once its time has come, and not a millisecond earlier', async () => {
    await platform.behave({ latencyMs: 300 })
    const id = await submit(signedFor('009876543000012'))
    const { receivedAt } = await platform.read(id)
    platform.advance(299)
    expect(await platform.read(id)).toMatchObject({ status: 'PROCESSING', decidedAt: null })
    platform.advance(1)
    const { status, decidedAt } = await decided(id)
    expect(status).toBe('ACCEPTED')
    expect(Date.parse(decidedAt as string) - Date.parse(receivedAt as string)).toBe(300)
  })

  it('counts what was decided', async () => {
    const { total, accepted, rejected, processing } = await totals()
    expect(total).toBe(Number(accepted) + Number(rejected) + Number(processing))
    expect(Number(rejected)).toBeGreaterThan(0)
  })
})

describe('a request', () => {
  const send = (
    headers: Record<string, string>,
    body: Buffer | string = '<x/>',
  ): Promise<Response> => fetch(`${platform.url}/v1/submissions`, { method: 'POST', headers, body })
  const xml = { 'Content-Type': 'application/xml' }

  const keyed = (key: string): Record<string, string> => ({ ...xml, 'Idempotency-Key': key })
  it.each([
    { status: 400, when: 'without a key', headers: xml },
    { status: 400, when: 'with a key too long', headers: keyed('k'.repeat(201)) },
    { status: 202, when: 'with the longest key', headers: keyed('k'.repeat(200)) },
    { status: 400, when: 'without a document', headers: keyed('k'), body: '' },
    { status: 415, when: 'not XML', headers: { ...keyed('k'), 'Content-Type': 'text/plain' } },
    { status: 415, when: 'compressed', headers: { ...keyed('k'), 'Content-Encoding': 'gzip' } },
  ])('is answered $status $when', async ({ status, headers, body }) => {
    const answer = await send(headers, body)
    expect(answer.status).toBe(status)
    expect(typeof (await json(answer))).toBe('object')
  })

  it('gets 413 over the limit, and is accepted at the limit', async () => {
    const headers = { ...xml, 'Idempotency-Key': 'large' }
    const largest = Buffer.alloc(platformLimits.documentBytes, ' ')
    expect((await send(headers, Buffer.concat([largest, Buffer.from(' ')]))).status).toBe(413)
    expect((await send(headers, largest)).status).toBe(202)
  })

  it.each(['/v1/submissions/unknown', '/v1/submissions?idempotencyKey=unknown', '/nowhere'])(
    'for %s is answered 404',
    async (path) => {
      const answer = await fetch(`${platform.url}${path}`)
      expect([answer.status, await json(answer)]).toMatchObject([
        404,
        { code: expect.any(String) as string },
      ])
    },
  )

  it('for a QR the platform never signed says so', async () => {
    const answer = await fetch(`${platform.url}/verify?p=a.b.c`, {
      headers: { Accept: 'text/html' },
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Ce code n’est pas valide')
  })

  it('for its health is answered whatever the behaviour', async () => {
    await platform.behave({ errorRate: 1, cutRate: 1 })
    expect((await fetch(`${platform.url}/livez`)).status).toBe(200)
    expect((await fetch(`${platform.url}/v1/submissions`)).status).toBe(200)
  })
})

describe('the behaviour', () => {
  it('is merged, and refused whole when one field is wrong', async () => {
    await platform.behave({ latencyMs: 7, htmlRate: 0 })
    const refused = await putBehaviour(platform.url, { latencyMs: 9, cutRates: 1, cutRate: 1.01 })
    expect(refused.status).toBe(400)
    expect((await json(refused))['message']).toMatch(
      /cutRates.*cutRate must be a number from 0 to 1/,
    )
    const shown = await json(await fetch(`${platform.url}/v1/behaviour`))
    expect(shown).toMatchObject({ latencyMs: 7, cutRate: 0 })
  })

  it('repeats its errors with the same seed', async () => {
    const statuses = async (): Promise<number[]> => {
      await platform.behave({ errorRate: 0.5, seed: 42 })
      const seen: number[] = []
      for (let read = 0; read < 20; read += 1) {
        seen.push((await fetch(`${platform.url}/v1/submissions/unknown`)).status)
      }
      return seen
    }
    const first = await statuses()
    expect(await statuses()).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(1)
  })

  it('cuts before processing, or loses the answer after it', async () => {
    const { url, post, behave } = platform
    const before = (await totals())['total'] as number
    await behave({ cutRate: 1 })
    await expect(post('cut', signedFor('009876543000012'))).rejects.toThrow()
    expect((await totals())['total']).toBe(before)
    await behave({ cutRate: 0, lostAnswerRate: 1 })
    await expect(post('lost', signedFor('009876543000012'))).rejects.toThrow()
    await behave({ lostAnswerRate: 0 })
    expect((await fetch(`${url}/v1/submissions?idempotencyKey=lost`)).status).toBe(200)
  })
})

describe('a magic buyer', () => {
  const readStatuses = async (buyerIce: string): Promise<number[]> => {
    const document = signedFor(buyerIce)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      statuses.push(
        await platform.post(`magic-${buyerIce}`, document).then(
          ({ status }) => status,
          () => 0,
        ),
      )
    }
    return statuses
  }

  it.each([
    ['000000000000401', [401, 202, 202]],
    ['000000000000409', [409, 202, 202]],
    ['000000000000413', [413, 202, 202]],
    ['000000000000422', [422, 202, 202]],
    ['000000000000429', [429, 202, 202]],
    ['000000000000500', [500, 202, 202]],
    ['000000000000502', [502, 202, 202]],
    ['000000000000503', [503, 202, 202]],
    ['000000000000504', [504, 202, 202]],
    ['000000000000601', [0, 202, 202]],
    ['000000000000602', [0, 202, 202]],
    ['000000000000603', [200, 202, 202]],
    ['000000000000901', [0, 0, 0]],
    ['000000000000903', [503, 503, 503]],
  ])('%s is answered %j', async (buyerIce, statuses) => {
    expect(await readStatuses(buyerIce)).toEqual(statuses)
  })

  it.each([
    ['000000000000409', 200],
    ['000000000000602', 200],
    ['000000000000601', 404],
    ['000000000000500', 404],
  ])('%s leaves the failed attempt findable or not: %i', async (buyerIce, status) => {
    const key = `once-${buyerIce}`
    await platform.post(key, signedFor(buyerIce)).catch(() => undefined)
    const found = await fetch(`${platform.url}/v1/submissions?idempotencyKey=${key}`)
    expect(found.status).toBe(status)
  })

  it('429 and 503 have Retry-After', async () => {
    await platform.behave({ retryAfterSeconds: 3 })
    for (const buyerIce of ['000000000000429', '000000000000903']) {
      const answer = await platform.post(nextNumber(), signedFor(buyerIce))
      expect(answer.headers.get('Retry-After')).toBe('3')
    }
    await platform.behave({ retryAfterSeconds: 1 })
  })

  it('rejects with its code, in words', async () => {
    expect(await decided(await submit(signedFor('000000000000101')))).toMatchObject({
      status: 'REJECTED',
      errorCode: 'BUYER_UNKNOWN',
      errorMessage: expect.stringMatching(/client.*customer/) as string,
    })
  })

  it('decides late, or never', async () => {
    const late = await submit(signedFor('000000000000201'))
    const never = await submit(signedFor('000000000000202'))
    await decided(await submit(signedFor('009876543000012')))
    platform.advance(9_999)
    expect(await platform.read(late)).toMatchObject({ status: 'PROCESSING' })
    platform.advance(1)
    expect(await platform.read(late)).toMatchObject({ status: 'ACCEPTED' })
    platform.advance(365 * 24 * 3_600_000)
    expect(await platform.read(never)).toMatchObject({ status: 'PROCESSING', decidedAt: null })
  })
})

describe('the memory', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'simulator-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('resumes what was undecided, in order, and keeps the key of its stamps', async () => {
    const stuck: ((finding: Finding) => void)[] = []
    const killed = await startPlatform({
      dataDir,
      examine: () => new Promise<Finding>((resolve) => stuck.push(resolve)),
    })
    const first = await json(await killed.post('1', signedFor('009876543000012', 'F-RESUMED')))
    const second = signXml(invoiceXml({ number: 'F-RESUMED', description: 'other' }))
    await killed.post('2', second)

    // Not closed, as a killed process is not: another one takes the same folder over.
    const resumed = await startPlatform({ dataDir })
    await resumed.behave({ latencyMs: 0 })
    resumed.advance(200)
    const settled = async (key: string): Promise<Json> => {
      for (;;) {
        const found = await fetch(`${resumed.url}/v1/submissions?idempotencyKey=${key}`)
        const submission = await json(found)
        if (submission['status'] !== 'PROCESSING') return submission
      }
    }
    const accepted = await settled('1')
    expect(accepted).toMatchObject({ submissionId: first['submissionId'], status: 'ACCEPTED' })
    expect(await settled('2')).toMatchObject({ errorCode: 'DUPLICATE_INVOICE' })
    await resumed.stop()

    const later = await startPlatform({ dataDir })
    const payload = accepted['qrPayload'] as string
    expect((await fetch(`${later.url}/verify?p=${payload}`)).status).toBe(200)
    await later.stop()

    // What the first process would still have said comes too late to change anything.
    const stopped = killed.stop()
    stuck.forEach((decide) => decide({ kind: 'refused', code: 'INVALID_XML', message: '' }))
    await stopped
  })

  it('is not delayed by a document that breaks the examination', async () => {
    const fragile = await startPlatform({
      dataDir,
      examine: () => Promise.reject(new Error('boom')),
    })
    await fragile.behave({ latencyMs: 0 })
    const { submissionId } = await json(await fragile.post('1', '<x/>'))
    let submission = await fragile.read(submissionId as string)
    while (submission['status'] === 'PROCESSING')
      submission = await fragile.read(submissionId as string)
    expect(submission).toMatchObject({ status: 'REJECTED', errorCode: 'PROCESSING_ERROR' })
    await fragile.stop()
  })
})
