import { requestJson, send } from '../stack/http'
import { anInvoice, Invoices } from '../stack/invoices'
import { onEveryOwnStack, onOwnStack } from '../stack/on-every-stack'
import { createKey, newOrganization, type Organization } from '../stack/organization'

const routes: [string, string][] = [
  ['POST', ''],
  ['GET', ''],
  ['GET', '/ID'],
  ['GET', '/ID/status'],
  ['PUT', '/ID'],
  ['DELETE', '/ID'],
  ['GET', '/ID/pdf'],
  ['GET', '/ID/xml'],
  ['GET', '/ID/qr'],
  ['POST', '/ID/sign'],
  ['POST', '/ID/resubmit'],
]

onEveryOwnStack('authentication', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const authorized = (authorization?: string) =>
    requestJson('GET', organization.invoices.url, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    })

  test.each(routes)('%s /v1/invoices%s needs a key', async (method, path) => {
    const url = organization.invoices.url + path.replace('ID', crypto.randomUUID())
    const missing = await requestJson(method, url)
    expect([missing.status, missing.code]).toEqual([401, 'API_KEY_MISSING'])
    expect(missing.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const invalid = await requestJson(method, url, { key: 'svc_sk_nonsense' })
    expect([invalid.status, invalid.code]).toEqual([401, 'API_KEY_INVALID'])
  })

  test('a header that is empty or malformed is a missing key', async () => {
    const { key } = organization.key
    for (const header of [
      '',
      ' ',
      'Bearer',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      key,
      `Token ${key}`,
    ]) {
      const { status, code } = await authorized(header)
      expect([header, status, code]).toEqual([header, 401, 'API_KEY_MISSING'])
    }
  })

  test('a key that is mistyped, cut, doubled or in other case is invalid', async () => {
    const { key } = organization.key
    const other = key.endsWith('a') ? 'b' : 'a'
    const wrong = [key.slice(0, -1) + other, key.slice(0, -1), key + key, key.toUpperCase()]
    for (const typo of [...wrong, 'svc_sk_', `svc_pk_${key.slice(7)}`, 'x'.repeat(5_000)]) {
      const { status, code } = await authorized(`Bearer ${typo}`)
      expect([status, code]).toEqual([401, 'API_KEY_INVALID'])
    }
  })

  test('the scheme is read in any case (RFC 9110, section 11.1)', async () => {
    expect((await authorized(`bearer ${organization.key.key}`)).status).toBe(200)
  })

  test('a key in the URL is ignored', async () => {
    const { key } = organization.key
    const { url } = organization.invoices
    for (const query of [`api_key=${key}`, `access_token=${key}`, `key=${key}`]) {
      expect((await requestJson('GET', `${url}?${query}`)).code).toBe('API_KEY_MISSING')
    }
  })

  test('the key is checked before the body', async () => {
    const { status, code } = await requestJson('POST', organization.invoices.url, { body: '{' })
    expect([status, code]).toEqual([401, 'API_KEY_MISSING'])
  })

  test('a revoked key gets 401 from the next request on', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await createKey(organization.session)
      const invoices = new Invoices(stack().baseUrl, key.key)
      expect((await invoices.list()).status).toBe(200)
      expect((await organization.session.call('DELETE', `/api-keys/${key.id}`)).status).toBe(200)
      const rejected = await invoices.create(anInvoice())
      expect([rejected.status, rejected.code]).toEqual([401, 'API_KEY_INVALID'])
    }
    expect((await organization.invoices.list()).status).toBe(200)
  })

  test('a key revoked under load serves no request after the revocation', async () => {
    const key = await createKey(organization.session)
    const invoices = new Invoices(stack().baseUrl, key.key)
    let revokedAt = Infinity
    const late: number[] = []
    const load = Array.from({ length: 6 }, async () => {
      for (let startedAt = 0; startedAt < revokedAt + 300;) {
        startedAt = Date.now()
        const { status } = await invoices.list({ size: 1 })
        if (startedAt > revokedAt) late.push(status)
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await organization.session.call('DELETE', `/api-keys/${key.id}`)
    revokedAt = Date.now()
    await Promise.all(load)
    expect(late.length).toBeGreaterThan(0)
    expect(new Set(late)).toEqual(new Set([401]))
  })

  test('two keys of one organization see the same invoices', async () => {
    const made = await organization.invoices.created({ draft: true })
    const rotated = await createKey(organization.session)
    const theirs = new Invoices(stack().baseUrl, rotated.key)
    expect((await theirs.read(made.id)).data.id).toBe(made.id)
  })
})

onOwnStack('the rate of a key', { RATE_LIMIT_PER_MINUTE: '' }, (stack) => {
  test('is 300 a minute; more is 429 with Retry-After, and another key still works', async () => {
    const { invoices, session } = await newOrganization(stack())
    const answers = []
    for (let at = 0; at < 310; at += 1) answers.push(await invoices.list({ size: 1 }))
    expect(answers.slice(0, 300).map(({ status }) => status)).toEqual(Array(300).fill(200))
    for (const rejected of answers.slice(300)) {
      expect([rejected.status, rejected.code]).toEqual([429, 'API_KEY_RATE_LIMITED'])
      const seconds = Number(rejected.headers.get('retry-after'))
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true)
    }
    const [first, last] = [answers[0]!.headers, answers.at(-1)!.headers]
    expect(first.get('ratelimit-policy')).toMatch(/q=300;.*w=60/)
    expect(first.get('ratelimit')).toMatch(/r=299/)
    expect(answers[299]!.headers.get('ratelimit')).toMatch(/r=0/)
    expect(last.get('ratelimit')).toMatch(/r=0;.*t=\d+/)

    // 401, 429, 404, 409, 400: the rate is checked before the resource and the body.
    expect((await invoices.read('unknown')).code).toBe('API_KEY_RATE_LIMITED')
    expect((await invoices.create('{')).code).toBe('API_KEY_RATE_LIMITED')

    const other = new Invoices(stack().baseUrl, (await createKey(session)).key)
    expect((await other.list()).status).toBe(200)
  })

  test('invalid keys and other endpoints are not limited by it', async () => {
    const health = await send('GET', `${stack().baseUrl}/readyz`)
    expect(health.status).toBe(200)
    const { url } = new Invoices(stack().baseUrl, '')
    expect((await requestJson('GET', url, { key: 'svc_sk_x' })).code).toBe('API_KEY_INVALID')
  })
})
