import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../program'
import { Terminal } from '../terminal'

const errors = [{ field: 'rc', message: 'is missing' }]
const incomplete = { code: 'MISSING_LEGAL_MENTIONS', message: 'Complete them.', errors }
const revoked = { code: 'API_KEY_INVALID', message: 'Unknown or revoked.', errors: null }
const requestId = '7f9c'

afterEach(() => jest.restoreAllMocks())

/** Of three creations the first succeeds, and the others are answered with these errors. */
async function load(planned: object[], ...options: string[]) {
  const answers = [undefined, ...planned]
  let created = 0
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const error = init?.method === 'POST' ? answers.shift() : undefined
    if (error) {
      const status = error === revoked ? 401 : 409
      return Response.json(
        { ...error, data: null },
        { status, headers: { 'X-Request-Id': requestId } },
      )
    }
    if (init?.method === 'POST') created += 1
    const data = { content: [], totalElements: created }
    return Response.json({ code: 'OK', message: 'OK', data, errors: null })
  })
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await runProgram(
    ['load', '--count', '3', '--concurrency', '1', '--no-wait', ...options],
    {
      env: { EINVOICING_API_KEY: 'svc_sk_1' },
      stdin: Readable.from([]),
      terminal: new Terminal(out as never, err as never),
      onInterrupt: () => undefined,
    },
  )
  out.end()
  err.end()
  return { code, output: await text(out), errors: await text(err) }
}

describe('after the counts it prints', () => {
  it('the first error, with its fields', async () => {
    const other = { code: 'INVOICE_NUMBER_EXISTS', message: 'Used.', errors: null }
    const ran = await load([incomplete, other])
    expect(ran.code).toBe(1)
    expect(ran.output).toMatch(/^1 of 3 created$/m)
    expect(ran.output).toMatch(/^failed {5}MISSING_LEGAL_MENTIONS ×1, INVOICE_NUMBER_EXISTS ×1$/m)
    expect(ran.errors).toBe(
      `MISSING_LEGAL_MENTIONS: Complete them.\n  rc is missing\nrequest ${requestId}\n`,
    )
  })

  it('the error that stopped it, in JSON', async () => {
    const ran = await load([incomplete, revoked], '--json')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.output)).toMatchObject({ created: 1, errors: { API_KEY_INVALID: 1 } })
    expect(JSON.parse(ran.errors)).toEqual({
      error: {
        code: 'API_KEY_INVALID',
        message: 'Unknown or revoked.',
        errors: [],
        status: 401,
        requestId,
      },
    })
  })
})
