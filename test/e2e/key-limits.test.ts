import { anInvoice, Invoices } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type ApiKey, type Organization } from '../stack/organization'

onEveryStack('limits of API keys', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const make = async (body: object) => {
    const made = await organization.session.call<ApiKey>('POST', '/api-keys', { body })
    expect([made.status, made.errors]).toEqual([201, null])
    return { ...made.data, invoices: new Invoices(stack().baseUrl, made.data.key) }
  }

  test('a key can only do what its scopes allow', async () => {
    const reading = await make({ name: 'Reports', scopes: ['invoices:read'] })
    const writing = await make({ name: 'Till', scopes: ['invoices:write'] })
    const created = await writing.invoices.create(anInvoice())
    expect(created.status).toBe(201)
    expect((await reading.invoices.read(created.data.id)).status).toBe(200)
    for (const [answer, scope] of [
      [await reading.invoices.create(anInvoice()), 'invoices:write'],
      [await writing.invoices.list(), 'invoices:read'],
      [await writing.invoices.read(created.data.id), 'invoices:read'],
    ] as const) {
      expect([answer.status, answer.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
      expect(answer.message).toContain(scope)
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    }
  })

  test('a key is accepted from its networks only', async () => {
    const here = await make({ name: 'here', allowedNetworks: ['192.0.2.0/24', '127.0.0.0/8'] })
    const elsewhere = await make({ name: 'elsewhere', allowedNetworks: ['192.0.2.0/24', '::/0'] })
    expect((await here.invoices.list()).status).toBe(200)
    const rejected = await elsewhere.invoices.list()
    expect([rejected.status, rejected.code]).toEqual([403, 'FORBIDDEN'])
    expect(rejected.message).toContain('127.0.0.1')
    const { data } = await organization.session.call('GET', '/api-keys')
    const shown = data.content.find(({ id }: ApiKey) => id === here.id)
    expect(shown).toMatchObject({
      scopes: ['invoices:read', 'invoices:write'],
      allowedNetworks: ['192.0.2.0/24', '127.0.0.0/8'],
      expiresAt: null,
    })
  })

  test('a rotated key and its successor both work during the overlap only', async () => {
    const old = await make({ name: 'ERP', scopes: ['invoices:read'] })
    const rotate = (body: object) =>
      organization.session.call<ApiKey>('POST', `/api-keys/${old.id}/rotate`, { body })
    const first = await rotate({})
    expect([first.status, first.data.name]).toEqual([201, 'ERP'])
    const successor = new Invoices(stack().baseUrl, first.data.key)
    expect((await successor.list()).status).toBe(200)
    expect((await successor.create(anInvoice())).code).toBe('INSUFFICIENT_SCOPE')
    expect((await old.invoices.list()).status).toBe(200)
    expect((await rotate({ overlapHours: 0 })).status).toBe(201)
    for (let time = 0; time < 2; time += 1) {
      const over = await old.invoices.list()
      expect([over.status, over.code]).toEqual([401, 'API_KEY_INVALID'])
      expect(over.message).toContain('expired')
    }
    const ended = await rotate({})
    expect([ended.status, ended.code]).toEqual([404, 'API_KEY_NOT_FOUND'])
    expect(ended.message).toMatch(/has expired or was revoked.*Create a new key instead/)
    expect((await rotate({ overlapHours: 721 })).errors?.[0]?.field).toBe('overlapHours')
  })

  test.each([
    [{ scopes: ['x'] }, 'scopes[0]'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt'],
    [{ allowedNetworks: ['10.0.0.0/33'] }, 'allowedNetworks[0]'],
  ])('%p is an error at its field', async (limits, field) => {
    const body = { name: 'x', ...limits }
    const { status, errors } = await organization.session.call('POST', '/api-keys', { body })
    expect([status, errors?.[0]?.field]).toEqual([400, field])
  })
})
