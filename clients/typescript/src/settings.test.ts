import { EinvoicingClient, type ClientSettings } from './client'

const server = { baseUrl: 'http://127.0.0.1', apiKey: 'svc_sk_1' }
const answer = (data: unknown) => Response.json({ code: 'OK', message: 'OK', data, errors: null })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const answerLate: typeof fetch = async (_, init) => {
  await pause(50)
  init?.signal?.throwIfAborted()
  return answer({ status: 'TRANSMITTED' })
}

it.each<[string, Partial<ClientSettings>]>([
  ['timeoutMs', { timeoutMs: undefined }],
  ['deadlineMs', { deadlineMs: undefined }],
  ['endless timeoutMs', { timeoutMs: Infinity, deadlineMs: Infinity }],
  ['a month', { timeoutMs: 2 ** 31, deadlineMs: 2 ** 32 }],
])('waits for a slow answer: %s', async (_, settings) => {
  const client = new EinvoicingClient({ ...server, ...settings, fetch: answerLate })
  expect(await client.status('1')).toEqual({ status: 'TRANSMITTED' })
})

it('ends after four attempts if attempts is undefined', async () => {
  let sent = 0
  const fail: typeof fetch = () => {
    sent += 1
    throw new TypeError('fetch failed')
  }
  const client = new EinvoicingClient({
    ...server,
    attempts: undefined,
    deadlineMs: 10_000,
    fetch: fail,
  })
  await expect(client.status('1')).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  expect(sent).toBe(4)
})

describe('waitUntilFinal', () => {
  const waitFor = async (deadlineMs: number | undefined, ofCall?: number, signalMs = 10_000) => {
    const client = new EinvoicingClient({ ...server, deadlineMs, fetch: answerLate })
    const startedAt = Date.now()
    const signal = AbortSignal.timeout(signalMs)
    const waiting = client.waitUntilFinal('1', { signal, deadlineMs: ofCall })
    const code = await waiting.catch((error: unknown) => (error as { code?: unknown }).code)
    return [code, Date.now() - startedAt > signalMs - 500]
  }

  it('ends at the deadline of the client', async () => {
    expect(await waitFor(300)).toEqual(['NOT_FINAL', false])
  })

  it('ends at its own deadline, whatever the client has', async () => {
    expect(await waitFor(60_000, 300)).toEqual(['NOT_FINAL', false])
  })

  it('waits longer than other calls without either', async () => {
    const timeoutError = DOMException.TIMEOUT_ERR
    expect(await waitFor(undefined, undefined, 1_500)).toEqual([timeoutError, true])
  })
})
