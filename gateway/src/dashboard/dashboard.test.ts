import { signUpClosed } from '@einvoicing/domain/account-errors'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { Gateway } from '../service'
import {
  fetchFrom,
  openForTest,
  postInvoice,
  simpleInvoice,
  type RequestOptions,
} from '../testdata/open-gateway'
import { apiKey, organizationId, smallOrganizations, userId } from '../testdata/small-services'
import { mergeNewestFirst } from './audit-pages'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openForTest({ TRUST_PROXY: 'loopback' })
})
afterAll(() => gateway.close())

const ours = { 'X-Requested-With': 'dashboard' }
const identity = {
  organizationId,
  organizationName: 'Atlas Conseil',
  userId,
  email: 'a@example.com',
  role: 'OWNER',
  environment: 'live',
  secondFactorMissing: false,
  emailUnverified: false,
  memberships: [{ organizationId, name: 'Atlas Conseil', role: 'OWNER' }],
}
const account = { organizationName: 'Atlas', email: 'a@example.com', password: 'right password' }

function call(
  path: string,
  method: string,
  { body, headers }: { body?: object; headers?: object } = {},
) {
  const options: RequestOptions = {
    method,
    headers: {
      Authorization: '',
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }
  return fetchFrom(gateway, `/dashboard/api${path}`, options)
}

async function signIn(from: object = {}): Promise<{ Cookie: string }> {
  const body = { email: account.email, password: account.password }
  const { headers } = await call('/session', 'POST', { body, headers: { ...ours, ...from } })
  const [pair = ''] = (headers.get('set-cookie') ?? '').split(';')
  return { Cookie: pair }
}

describe('accounts', () => {
  it('begin with 201 and a session that scripts cannot read and other sites cannot send', async () => {
    const { status, headers, body } = await call('/signup', 'POST', {
      body: account,
      headers: ours,
    })
    expect(status).toBe(201)
    expect(body.data).toEqual({ ...identity, expiresAt: expect.any(String) })
    const cookie = headers.get('set-cookie')
    expect(cookie).toMatch(
      /^session=.+; Max-Age=43[12]\d\d; Path=\/dashboard; .*HttpOnly; SameSite=Strict$/,
    )
    expect(cookie).not.toContain('Secure')
  })

  it('have a secure cookie behind TLS', async () => {
    const headers = { ...ours, 'X-Forwarded-Proto': 'https' }
    const answer = await call('/signup', 'POST', { body: account, headers })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-session=[^;]+; Max-Age=43[12]\d\d; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  it('have a cookie that no other host can set, over TLS', async () => {
    const https = { 'X-Forwarded-Proto': 'https' }
    const { Cookie } = await signIn(https)
    const signInWith = async (cookie: string, headers: object = https) =>
      (await call('/session', 'GET', { headers: { ...headers, Cookie: cookie } })).body.code
    expect(await signInWith(Cookie)).toBe('OK')
    expect(await signInWith(Cookie.replace('__Host-', ''))).toBe('SESSION_MISSING')
    expect(await signInWith(`session=x.y.z; ${Cookie}`)).toBe('OK')
    expect(await signInWith(Cookie, {})).toBe('SESSION_MISSING')
  })

  it('two different cookies are rejected', async () => {
    const { Cookie } = await signIn()
    const readSession = async (cookie: string) =>
      (await call('/session', 'GET', { headers: { Cookie: cookie } })).body.code
    expect(await readSession(`${Cookie}; ${Cookie}`)).toBe('OK')
    expect(await readSession(`${Cookie}; session=x.y.z`)).toBe('SESSION_INVALID')
    expect(await readSession(`session=x.y.z; ${Cookie}`)).toBe('SESSION_INVALID')
  })

  it('get every field error', async () => {
    const body = { organisationName: 'A', email: 5, password: 'short' }
    const answer = await call('/signup', 'POST', { body, headers: ours })
    expect(answer.body.errors).toEqual([
      { field: 'organizationName', message: 'is required' },
      { field: 'email', message: 'must be text in quotes; got 5' },
      { field: 'password', message: 'must be at least 10 characters' },
      {
        field: 'organisationName',
        message: 'is not a known field; did you mean organizationName?',
      },
    ])
  })

  it('are refused with 403 where sign-up is closed', async () => {
    const signUp = () => Promise.reject(signUpClosed())
    const organizations = { ...smallOrganizations(), signUp }
    const closed = await openForTest({}, { organizations })
    const headers = { ...ours, 'Content-Type': 'application/json' }
    const options = { method: 'POST', headers, body: JSON.stringify(account) }
    const { status, body } = await fetchFrom(closed, '/dashboard/api/signup', options)
    expect([status, body.code]).toEqual([403, 'SIGNUP_CLOSED'])
    await closed.close()
  })

  it('a wrong password gets 401', async () => {
    const body = { email: 'a@example.com', password: 'wrong' }
    const answer = await call('/session', 'POST', { body, headers: ours })
    expect([answer.status, answer.body.code]).toEqual([401, 'CREDENTIALS_INVALID'])
  })

  it('end when the cookie is deleted', async () => {
    const { status, headers } = await call('/session', 'DELETE', { headers: ours })
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(
      /^session=; Path=\/dashboard; Expires=Thu, 01 Jan 1970/,
    )
  })
})

describe('requests that need a session', () => {
  it.each([
    ['GET', '/organization', {}, 401, 'SESSION_MISSING'],
    ['GET', '/nowhere', {}, 401, 'SESSION_MISSING'],
    ['GET', '/organization', { Cookie: 'session=x.y.z' }, 401, 'SESSION_INVALID'],
    ['GET', '/organization', { Authorization: `Bearer ${apiKey}` }, 401, 'SESSION_MISSING'],
    ['PUT', '/organization', {}, 403, 'CSRF_REFUSED'],
    ['POST', '/session', {}, 403, 'CSRF_REFUSED'],
    ['POST', '/session', { 'X-Requested-With': 'XMLHttpRequest' }, 403, 'CSRF_REFUSED'],
    ['GET', '/session', {}, 401, 'SESSION_MISSING'],
    ['POST', '/invoices', {}, 403, 'CSRF_REFUSED'],
    ['DELETE', '/audit', ours, 401, 'SESSION_MISSING'],
  ])('%s %s is rejected', async (method, path, headers, status, code) => {
    const answer = await call(path, method, { headers })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('returns the user and the expiry', async () => {
    const headers = await signIn()
    const { body } = await call('/session', 'GET', { headers })
    expect(body.data).toEqual({ ...identity, expiresAt: expect.any(String) })
    const { expiresAt } = body.data as { expiresAt: string }
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(11.99)
    expect(hours).toBeLessThanOrEqual(12)
  })

  it('the organization is read and changed, what is left out stays, null where blank', async () => {
    const session = await signIn()
    const read = await call('/organization', 'GET', { headers: session })
    expect(read.body.data).toMatchObject({
      organizationId,
      name: 'Atlas Conseil',
      cnss: null,
      missing: [],
    })
    expect(Object.keys(read.body.data ?? {})).toHaveLength(15)
    const body = { name: 'Atlas', ice: null }
    const replaced = await call('/organization', 'PUT', { body, headers: { ...session, ...ours } })
    expect(replaced.body.data).toMatchObject({ name: 'Atlas', ice: null, city: 'Rabat' })
  })

  it('API keys are created, listed without the key, and revoked', async () => {
    const headers = { ...(await signIn()), ...ours }
    const made = await call('/api-keys', 'POST', { body: { name: 'till' }, headers })
    expect(made.status).toBe(201)
    const limits = ['scopes', 'expiresAt', 'allowedNetworks']
    const fields = ['id', 'name', 'key', 'last4', 'createdAt', ...limits]
    expect(Object.keys(made.body.data ?? {})).toEqual(fields)
    const listed = await call('/api-keys', 'GET', { headers })
    expect(listed.body.data).toEqual({
      content: [expect.not.objectContaining({ key: expect.anything() })],
    })
    const { id } = made.body.data as { id: string }
    expect((await call(`/api-keys/${id}`, 'DELETE', { headers })).body.data).toHaveProperty(
      'revokedAt',
    )
    const inUpperCase = '/api-keys/5D2F7C1A-90B3-4F6E-8A7D-1C2B3A4D5E6F'
    expect((await call(inUpperCase, 'DELETE', { headers })).status).toBe(200)
    for (const stranger of ['x', '%zz']) {
      const { status } = await call(`/api-keys/${stranger}`, 'DELETE', { headers })
      expect(status).toBe(404)
    }
  })

  it('invoices are read as by key', async () => {
    const headers = { ...(await signIn()), ...ours }
    const { id } = (await postInvoice(gateway, simpleInvoice)).body.data as { id: string }
    expect((await call('/invoices', 'GET', { headers })).body.data).toMatchObject({
      totalElements: 1,
    })
    for (const path of [`/invoices/${id}`, `/invoices/${id}/status`]) {
      expect((await call(path, 'GET', { headers })).body.data).toMatchObject({ id })
    }
    expect((await call('/invoices/%zz', 'GET', { headers })).body.code).toBe('INVOICE_NOT_FOUND')
  })

  it('invoices are written as by key, with the mentions of the organization', async () => {
    const headers = { ...(await signIn()), ...ours }
    const draft = { ...simpleInvoice, draft: true }
    const made = await call('/invoices', 'POST', { body: draft, headers })
    const { id } = made.body.data as { id: string }
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ status: 'PENDING', issuerName: 'Atlas Conseil' })
    expect(made.headers.get('location')).toBe(`/dashboard/api/invoices/${id}`)
    const at = `/invoices/${id}`
    const edited = await call(at, 'PUT', { body: { buyerName: 'B' }, headers })
    expect(edited.body.data).toMatchObject({ buyerName: 'B' })
    expect((await call(`${at}/sign`, 'POST', { headers })).body.data).toMatchObject({
      status: 'SIGNED',
    })
    expect((await call(`${at}/resubmit`, 'POST', { headers })).status).toBe(200)
    expect((await call(at, 'DELETE', { headers })).body.data).toMatchObject({
      status: 'CANCELLED',
    })
  })

  it('the audit is one page of both logs', async () => {
    const headers = await signIn()
    const { body } = await call('/audit', 'GET', { headers })
    expect(body.data).toMatchObject({
      totalElements: 1,
      content: [
        {
          actor: 'user:a@example.com',
          action: 'api-key.created',
          invoiceId: null,
          from: null,
          to: null,
          detail: null,
        },
      ],
    })
    const far = await call('/audit?page=100&size=100', 'GET', { headers })
    expect(far.body.errors).toEqual([
      { field: 'page', message: 'must stay within the newest 10000 entries' },
    ])
  })
})

it('two logs merge newest first', () => {
  const entry = (at: string, action: string): AuditEntry => ({ at, actor: 'a', action })
  const merged = mergeNewestFirst(
    [entry('3', 'x'), entry('1', 'x')],
    [entry('3', 'y'), entry('2', 'y')],
  )
  expect(merged.map(({ at, action }) => at + action)).toEqual(['3x', '3y', '2y', '1x'])
})

it('merged logs keep their own order, so that reading more moves no shown entry', () => {
  const entry = (at: string): AuditEntry => ({ at, actor: 'a', action: at })
  const log = ['6', '4', '5', '2', '3', '1'].map(entry)
  const other = ['7', '4', '0'].map(entry)
  const whole = mergeNewestFirst(log, other)
  expect(whole.map(({ at }) => at).join('')).toBe('764542310')
  for (let read = 0; read <= log.length; read += 1) {
    const begun = mergeNewestFirst(log.slice(0, read), other.slice(0, read))
    expect(begun.slice(0, read)).toEqual(whole.slice(0, read))
  }
})
