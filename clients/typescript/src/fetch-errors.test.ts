import { EinvoicingClient } from './client'
import { fetchError } from './fetch-errors'

const unanswered = { address: 'https://example.ma/v1', requestId: '7f9c', answered: false }
const failure = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, syscall })
const connecting = failure('EHOSTUNREACH', 'connect')
const everyAddress = Object.assign(new AggregateError([connecting]), { code: 'EHOSTUNREACH' })

it.each([
  ['UNREACHABLE', failure('ECONNREFUSED', 'connect')],
  ['UNREACHABLE', failure('CERT_HAS_EXPIRED')],
  ['UNREACHABLE', failure('ERR_TLS_CERT_ALTNAME_INVALID')],
  // `https` on a port that speaks HTTP.
  ['UNREACHABLE', failure('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['UNREACHABLE', connecting],
  ['UNREACHABLE', failure('ENETUNREACH', 'connect')],
  ['UNREACHABLE', everyAddress],
  ['CONNECTION_LOST', failure('EHOSTUNREACH', 'read')],
  ['CONNECTION_LOST', failure('ENETUNREACH', 'write')],
  ['CONNECTION_LOST', failure('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')],
])('%s: %p', (code, cause) => {
  expect(fetchError(new TypeError('fetch failed', { cause }), unanswered).code).toBe(code)
})

it('a creation whose connection breaks after it was sent is looked up before it is repeated', async () => {
  const methods: string[] = []
  const send: typeof fetch = async (_, init) => {
    methods.push(init?.method ?? '')
    const cause = failure('EHOSTUNREACH', 'read')
    if (methods.length === 1) throw new TypeError('fetch failed', { cause })
    return Response.json({ code: 'OK', message: 'OK', data: { content: [] }, errors: null })
  }
  const baseUrl = 'https://example.ma'
  const client = new EinvoicingClient({ baseUrl, apiKey: 'svc_sk_1', fetch: send })
  await client.createInvoice('{"invoiceNumber":"F-1"}')
  expect(methods).toEqual(['POST', 'GET', 'POST'])
})
