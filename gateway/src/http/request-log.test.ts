import { createLog } from '@einvoicing/runtime/log'
import { eventually } from '@einvoicing/servers/eventually'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { apiKey, organizationId, smallOrganizations, userId } from '../testdata/small-services'

describe('the line of a request', () => {
  const lines: string[] = []
  let gateway: Gateway
  beforeAll(async () => {
    const log = createLog('info', { write: (line: string) => void lines.push(line) })
    gateway = await openForTest(
      { TRUST_PROXY: 'loopback' },
      { log, organizations: smallOrganizations('MEMBER') },
    )
  })
  afterAll(() => gateway.close())

  const from = { 'X-Forwarded-For': '2001:db8::7' }
  const network = '2001:db8:0:0::/64'

  /** What is logged of the request that `work` makes. */
  async function logged(work: () => Promise<unknown>): Promise<object> {
    lines.length = 0
    await work()
    return eventually(() => {
      const line = lines.find((one) => one.includes('"msg":"request"'))
      if (line === undefined) throw new Error('nothing was logged')
      return JSON.parse(line) as object
    })
  }

  it('names the key and the network it came from, and never the key itself', async () => {
    const line = await logged(() => fetchFrom(gateway, '/v1/invoices', { headers: from }))
    expect(line).toMatchObject({ apiKeyId: 'key-1', organizationId, network, status: 200 })
    expect(line).not.toHaveProperty('userId')
    expect(JSON.stringify(lines)).not.toContain(apiKey)
  })

  it('names the user who lacked the role', async () => {
    const headers = { ...from, 'X-Requested-With': 'dashboard', Authorization: '' }
    const body = JSON.stringify({ email: 'a@example.com', password: 'right password' })
    const json = { ...headers, 'Content-Type': 'application/json' }
    const path = '/dashboard/api/session'
    const signedIn = await fetchFrom(gateway, path, { method: 'POST', headers: json, body })
    const [Cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    const line = await logged(() =>
      fetchFrom(gateway, `/dashboard/api/api-keys/${userId}`, {
        method: 'DELETE',
        headers: { ...headers, Cookie },
      }),
    )
    expect(line).toMatchObject({ userId, organizationId, network, status: 403, code: 'FORBIDDEN' })
    expect(JSON.stringify(lines)).not.toContain(Cookie)
  })

  it('logs the network of an unknown client', async () => {
    const headers = { ...from, Authorization: 'Bearer x' }
    const line = await logged(() => fetchFrom(gateway, '/v1/invoices', { headers }))
    expect(line).toMatchObject({ network, status: 401, code: 'API_KEY_INVALID' })
  })
})
