import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { requestJson, type Answer } from '../stack/http'
import { anInvoice, Invoices } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import {
  completeMentions,
  createKey,
  newOrganization,
  Session,
  signUp,
  type Organization,
} from '../stack/organization'

const listFields = ({ errors }: Answer) => (errors ?? []).map(({ field }) => field).sort()

onEveryStack('the dashboard', (stack) => {
  let organization: Organization
  let session: Session
  beforeAll(async () => {
    organization = await newOrganization(stack())
    session = organization.session
  })

  const api = () => `${stack().baseUrl}/dashboard/api`
  const fromDashboard = { 'X-Requested-With': 'dashboard' }

  test('sign-up signs in, with a cookie that scripts and other sites cannot use', async () => {
    const email = `${crypto.randomUUID()}@atlas.example`
    const body = { organizationName: 'Nouvelle', email, password: 'a long enough password' }
    const answer = await requestJson('POST', `${api()}/signup`, { body, headers: fromDashboard })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.data).toMatchObject({
      organizationId: expect.any(String),
      organizationName: 'Nouvelle',
      userId: expect.any(String),
      email,
      role: 'OWNER',
      expiresAt: expect.stringMatching(/Z$/),
      environment: 'test',
      secondFactorMissing: false,
      emailUnverified: false,
    })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/;\s*HttpOnly/i)
    expect(cookie).toMatch(/;\s*SameSite=Strict/i)
    expect(cookie).toMatch(/;\s*Path=\//i)

    const again = await requestJson('POST', `${api()}/signup`, { body, headers: fromDashboard })
    expect([again.status, again.code]).toEqual([409, 'EMAIL_TAKEN'])
    const shouted = { ...body, email: email.toUpperCase() }
    const other = await requestJson('POST', `${api()}/signup`, {
      body: shouted,
      headers: fromDashboard,
    })
    expect([other.status, other.code]).toEqual([409, 'EMAIL_TAKEN'])
  })

  test('sign-up reports every invalid field', async () => {
    const rejected = [
      [{}, ['email', 'organizationName', 'password']],
      [
        { organizationName: ' ', email: 'x', password: 'short' },
        ['email', 'organizationName', 'password'],
      ],
      [{ organizationName: 1, email: [], password: {} }, ['email', 'organizationName', 'password']],
    ] as const
    for (const [body, fields] of rejected) {
      const answer = await requestJson('POST', `${api()}/signup`, { body, headers: fromDashboard })
      expect([answer.status, answer.code, listFields(answer)]).toEqual([
        400,
        'VALIDATION_ERROR',
        fields,
      ])
    }
  })

  test('sign-in, and sign-out that ends the session', async () => {
    const visitor = new Session(stack().baseUrl, session.email, session.password)
    const { email, password } = visitor
    const wrong = await visitor.call('POST', '/session', { body: { email, password: 'wrong' } })
    expect([wrong.status, wrong.code]).toEqual([401, 'CREDENTIALS_INVALID'])
    const stranger = { email: 'unknown@nowhere.example', password }
    const unknown = await visitor.call('POST', '/session', { body: stranger })
    expect([unknown.status, unknown.code, unknown.message]).toEqual([
      401,
      'CREDENTIALS_INVALID',
      wrong.message,
    ])
    const answer = await visitor.call('POST', '/session', { body: { email, password } })
    expect(answer).toMatchObject({
      status: 200,
      data: { organizationId: organization.id, organizationName: completeMentions.name, email },
    })
    visitor.storeCookie(answer)
    expect((await visitor.call('GET', '/session')).data).toEqual(answer.data)
    expect((await visitor.call('GET', '/organization')).status).toBe(200)

    const out = await visitor.call('DELETE', '/session')
    expect(out.status).toBe(200)
    expect(out.headers.getSetCookie().join()).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/i)
  })

  test.each([
    ['GET', '/session'],
    ['GET', '/organization'],
    ['PUT', '/organization'],
    ['GET', '/api-keys'],
    ['POST', '/api-keys'],
    ['DELETE', '/api-keys/x'],
    ['GET', '/members'],
    ['POST', '/members'],
    ['PUT', '/members/x'],
    ['DELETE', '/members/x'],
    ['PUT', '/password'],
    ['GET', '/invoices'],
    ['GET', '/invoices/x'],
    ['POST', '/invoices'],
    ['PUT', '/invoices/x'],
    ['DELETE', '/invoices/x'],
    ['POST', '/invoices/x/sign'],
    ['POST', '/invoices/x/resubmit'],
    ['GET', '/invoices/x/audit'],
    ['GET', '/audit'],
  ])('%s %s needs a session; an API key is none', async (method, path) => {
    const body = ['GET', 'DELETE'].includes(method) ? {} : { body: {} }
    const none = await requestJson(method, api() + path, { headers: fromDashboard, ...body })
    expect([none.status, none.code]).toEqual([401, 'SESSION_MISSING'])
    const key = await requestJson(method, api() + path, {
      headers: fromDashboard,
      key: organization.key.key,
      ...body,
    })
    expect([key.status, key.code]).toEqual([401, 'SESSION_MISSING'])
    const [name] = session.cookie.split('=')
    for (const forged of [
      'x',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
      session.cookie.slice(0, -2),
    ]) {
      const headers = { ...fromDashboard, Cookie: `${name}=${forged.split('=').at(-1)}` }
      const rejected = await requestJson(method, api() + path, { headers, ...body })
      expect([rejected.status, rejected.code]).toEqual([401, 'SESSION_INVALID'])
    }
  })

  test.each([
    ['POST', '/signup'],
    ['POST', '/session'],
    ['DELETE', '/session'],
    ['PUT', '/organization'],
    ['POST', '/api-keys'],
    ['DELETE', '/api-keys/x'],
    ['POST', '/members'],
    ['PUT', '/members/x'],
    ['DELETE', '/members/x'],
    ['PUT', '/password'],
    ['POST', '/invitation'],
    ['POST', '/invitation/read'],
    ['POST', '/invoices'],
    ['PUT', '/invoices/x'],
    ['DELETE', '/invoices/x'],
    ['POST', '/invoices/x/sign'],
    ['POST', '/invoices/x/resubmit'],
  ])('%s %s needs the header that other sites cannot send', async (method, path) => {
    const body = method === 'DELETE' ? {} : { body: {} }
    for (const header of [{}, { 'X-Requested-With': 'XMLHttpRequest' }]) {
      const headers = { Cookie: session.cookie, ...header }
      const { status, code } = await requestJson(method, api() + path, { headers, ...body })
      expect([status, code]).toEqual([403, 'CSRF_REFUSED'])
    }
  })

  test('a session is no API key', async () => {
    const headers = { Cookie: session.cookie, ...fromDashboard }
    const { code } = await requestJson('GET', organization.invoices.url, { headers })
    expect(code).toBe('API_KEY_MISSING')
  })

  test('legal details: the missing, the malformed, the saved', async () => {
    const visitor = await signUp(stack(), 'À compléter')
    const empty = await visitor.call('GET', '/organization')
    expect([empty.data.name, empty.data.ice ?? '']).toEqual(['À compléter', ''])
    expect(empty.data.missing).toEqual(['address', 'city', 'ice', 'if', 'rc', 'tp'])

    const partly = { name: 'À compléter', city: 'Fès', ice: '001234567000089' }
    const saved = await visitor.call('PUT', '/organization', { body: partly })
    expect([saved.status, saved.data?.missing]).toEqual([200, ['address', 'if', 'rc', 'tp']])

    const wrong = { name: '', ice: '12', rib: '1', email: 'x', if: 'x y' }
    const rejected = await visitor.call('PUT', '/organization', { body: wrong })
    expect([rejected.status, rejected.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(listFields(rejected)).toEqual(['email', 'ice', 'if', 'name', 'rib'])

    const unknown = await visitor.call('PUT', '/organization', { body: { ...partly, siret: '1' } })
    expect([unknown.status, listFields(unknown)]).toEqual([400, ['siret']])

    const { data } = await visitor.call('PUT', '/organization', { body: completeMentions })
    expect(data).toMatchObject({ ...completeMentions, missing: [] })
  })

  test('what was read can be saved unchanged, except read-only fields', async () => {
    const visitor = await signUp(stack())
    const { data } = await visitor.call('GET', '/organization')
    const { missing, organizationId: _, id: __, ...mentions } = data
    const saved = await visitor.call('PUT', '/organization', { body: mentions })
    expect([saved.status, saved.data?.missing]).toEqual([200, missing])
  })

  test('new legal details are in the next signature', async () => {
    const { session: owner, invoices } = await newOrganization(stack())
    const made = await invoices.created({ draft: true })
    const { data } = await owner.call('GET', '/organization')
    const { missing: _, organizationId: __, id: ___, ...mentions } = data
    const body = { ...mentions, name: 'Atlas renommé' }
    expect((await owner.call('PUT', '/organization', { body })).status).toBe(200)
    expect((await invoices.sign(made.id)).data.issuerName).toBe('Atlas renommé')
    expect((await invoices.created()).issuerName).toBe('Atlas renommé')
  })

  test('a key is shown once, then only its last four characters', async () => {
    const created = await session.call('POST', '/api-keys', { body: { name: 'Caisse 1' } })
    expect(created.status).toBe(201)
    const limits = ['scopes', 'expiresAt', 'allowedNetworks']
    const fields = ['id', 'name', 'key', 'last4', 'createdAt', ...limits]
    expect(Object.keys(created.data)).toEqual(fields)
    const { key, id, last4 } = created.data
    expect(key).toMatch(/^svc_sk_[0-9A-Za-z]{49}$/)
    expect(key.endsWith(last4)).toBe(true)

    const listed = async () => {
      const { data } = await session.call('GET', '/api-keys')
      expect(JSON.stringify(data)).not.toContain(key.slice(7, 40))
      return (data.content ?? data).find((one: any) => one.id === id)
    }
    expect(await listed()).toMatchObject({ name: 'Caisse 1', last4, revokedAt: null })
    await new Invoices(stack().baseUrl, key).list()

    const revoked = await session.call('DELETE', `/api-keys/${id}`)
    expect(revoked.status).toBe(200)
    expect((await listed()).revokedAt).toMatch(/Z$/)
    expect((await session.call('DELETE', `/api-keys/${crypto.randomUUID()}`)).code).toBe(
      'API_KEY_NOT_FOUND',
    )
  })

  test('a key needs a name of at most 100 characters', async () => {
    for (const name of ['', ' ', 'x'.repeat(101), 7, null]) {
      const answer = await session.call('POST', '/api-keys', { body: { name } })
      expect([answer.status, listFields(answer)]).toEqual([400, ['name']])
    }
    expect((await createKey(session, 'x'.repeat(100))).name).toHaveLength(100)
  })

  test('the audit of one invoice is listed oldest first', async () => {
    const draft = await organization.invoices.created({ draft: true })
    await organization.invoices.sign(draft.id)
    await organization.invoices.decided(draft.id)
    const { data } = await session.call('GET', `/invoices/${draft.id}/audit`)
    expect(data.content.map(({ from, to }: any) => [from, to])).toEqual([
      [null, 'PENDING'],
      ['PENDING', 'SIGNED'],
      ['SIGNED', 'TRANSMITTED'],
      ['TRANSMITTED', 'ACCEPTED'],
    ])
    const moments = data.content.map(({ at }: any) => at)
    expect(moments).toEqual(moments.toSorted())
    expect(Object.keys(data.content[0]).sort()).toEqual(
      ['action', 'actor', 'at', 'detail', 'from', 'invoiceId', 'to'].sort(),
    )
    const stranger = await signUp(stack())
    for (const id of [draft.id, crypto.randomUUID(), 'x', '%zz']) {
      const rejected = await stranger.call('GET', `/invoices/${id}/audit`)
      expect([rejected.status, rejected.code]).toEqual([404, 'INVOICE_NOT_FOUND'])
      expect(rejected.message).toBe(
        'No invoice with this id exists in your organization. Find it by its number: GET /v1/invoices?invoiceNumber=…',
      )
    }
  })

  test('the audit is listed newest first, in pages, with actor and action', async () => {
    const key = await createKey(session, 'audited')
    await session.call('DELETE', `/api-keys/${key.id}`)
    const draft = await organization.invoices.created({ draft: true })
    const { data } = await session.call('GET', '/audit?size=100')
    expect(Object.keys(data.content[0]).sort()).toEqual(
      [
        ...['action', 'actor', 'at', 'detail', 'from', 'invoiceId', 'invoiceNumber', 'to'],
        ...['device', 'network', 'seq', 'hash'],
      ].sort(),
    )
    const moments = data.content.map(({ at }: any) => at)
    expect(moments).toEqual([...moments].sort().reverse())
    for (const isOfInvoice of [true, false]) {
      const places = data.content
        .filter(({ invoiceId }: any) => (invoiceId !== null) === isOfInvoice)
        .map(({ seq }: any) => seq)
        .sort((a: number, b: number) => a - b)
      expect(places).toEqual(places.map((_: number, index: number) => index + 1))
    }
    expect(new Set(data.content.map(({ hash }: any) => hash)).size).toBe(data.content.length)
    const actions = data.content.map(({ action, actor }: any) => `${action} ${actor.split(':')[0]}`)
    expect(actions).toEqual(
      expect.arrayContaining([
        'invoice.created api-key',
        'api-key.created user',
        'api-key.revoked user',
      ]),
    )
    expect(JSON.stringify(data)).not.toContain(key.key.slice(7, 40))
    expect(JSON.stringify(data)).not.toContain(session.password)

    const pages = []
    for (let page = 0; pages.length < data.totalElements; page += 1) {
      const one = await session.call('GET', `/audit?size=3&page=${page}`)
      pages.push(...one.data.content)
      if (one.data.last) break
    }
    expect(pages.map((entry) => JSON.stringify(entry))).toEqual(
      data.content.map((entry: any) => JSON.stringify(entry)),
    )
    expect(pages.filter(({ invoiceId }) => invoiceId === draft.id)).toHaveLength(1)
  })

  test('the audit is filtered, and downloaded as a table', async () => {
    const today = dayInMorocco(new Date())
    const owner = (await newOrganization(stack())).session
    const actions = async (query: string) => {
      const { data } = await owner.call('GET', `/audit?${query}`)
      expect(data.totalElements).toBe(data.content.length)
      return new Set(data.content.map(({ action }: any) => action))
    }
    expect(await actions('action=api-key.created')).toEqual(new Set(['api-key.created']))
    expect((await actions('action=api-key.&to=2020-01-01')).size).toBe(0)
    expect((await actions(`from=${today}`)).has('api-key.created')).toBe(true)
    const [entry] = (await owner.call('GET', '/audit?action=api-key.created')).data.content
    const from = `network=${encodeURIComponent(entry.network)}&device=${entry.device.slice(0, 3)}`
    expect((await actions(from)).has('api-key.created')).toBe(true)
    expect((await actions('network=192.0.2.99')).size).toBe(0)
    const rejected = await owner.call('GET', '/audit?from=2026-02-02&to=2026-02-01')
    expect([rejected.status, listFields(rejected)]).toEqual([400, ['to']])

    const { status, headers, bytes } = await owner.download('/audit.csv?action=api-key.')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const rows = bytes.toString().split('\r\n')
    const columns = '"at","actor","action","invoiceId","from","to","detail","network","device"'
    expect(rows[0]).toBe(`\uFEFF${columns},"seq","hash"`)
    expect(rows.slice(1, -1).every((row) => /,"\d+","[0-9a-f]{64}"$/.test(row))).toBe(true)
    expect(rows.slice(1, -1).every((row) => row.includes(',"api-key.'))).toBe(true)
    expect(rows.length).toBeGreaterThan(2)
  })

  test('a creation without complete legal details lists the missing ones', async () => {
    const visitor = await signUp(stack())
    const theirs = new Invoices(stack().baseUrl, (await createKey(visitor)).key)
    const { status, code, errors } = await theirs.create(anInvoice())
    expect([status, code]).toEqual([409, 'MISSING_LEGAL_MENTIONS'])
    const { data } = await visitor.call('GET', '/organization')
    expect(errors?.map(({ field }) => field)).toEqual(data.missing)
  })
})
