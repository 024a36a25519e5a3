/**
 * What an attacker does to accounts. Requests come from two addresses of loopback: 127.0.0.1 is
 * where the owner works, 127.0.0.2 is the attacker's.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { Session, signUp } from '../stack/organization'
import { send, type Answer, type RequestOptions } from '../stack/http'

const fromDashboard = { 'X-Requested-With': 'dashboard' }
const attacker = '127.0.0.2'

interface Raw {
  status: number
  headers: Headers
  body: any
}

interface RawRequest extends RequestOptions {
  method?: string
}

async function raw(url: string, { method = 'POST', ...request }: RawRequest): Promise<Raw> {
  const headers = { ...fromDashboard, ...request.headers }
  const { status, headers: answered, bytes } = await send(method, url, { ...request, headers })
  const body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
  return { status, headers: answered, body }
}

const toCode = ({ status, code }: Pick<Answer, 'status' | 'code'>) => `${status} ${code}`

onEveryOwnStack('attacks on accounts', (stack) => {
  const url = (route: string) => `${stack().baseUrl}/dashboard/api${route}`
  const signIn = (email: string, password: string, from?: string) =>
    raw(url('/session'), { body: { email, password }, ...(from !== undefined && { from }) })
  const code = ({ status, body }: Raw) => `${status} ${body.code}`

  test('guesses are limited by network, and lock out neither owner nor others', async () => {
    const { email, password } = await signUp(stack())
    const answers = new Set<string>()
    for (let at = 0; at < 15; at += 1) {
      answers.add(code(await signIn(email, `guess number ${at}`, attacker)))
    }
    expect([...answers]).toEqual(['401 CREDENTIALS_INVALID', '429 TOO_MANY_ATTEMPTS'])
    const right = await signIn(email, password, attacker)
    expect(code(right)).toBe('429 TOO_MANY_ATTEMPTS')
    expect(right.headers.getSetCookie()).toEqual([])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(email, password)).status).toBe(200)
    const other = await signUp(stack())
    expect((await signIn(other.email, other.password, attacker)).status).toBe(200)
  })

  test('neither another spelling of the email nor a forged client address gives new attempts', async () => {
    const { email } = await signUp(stack())
    const from = '127.0.0.3'
    for (let at = 0; at < 12; at += 1) {
      const spelled = at % 2 ? email.toUpperCase() : ` ${email}`
      await raw(url('/session'), {
        body: { email: spelled, password: `guess number ${at}` },
        headers: { 'X-Forwarded-For': `198.51.100.${at}`, Forwarded: `for=198.51.100.${at}` },
        from,
      })
    }
    expect(code(await signIn(email, 'one more guess', from))).toBe('429 TOO_MANY_ATTEMPTS')
  })

  test('no answer says whether an email has a user', async () => {
    const { email } = await signUp(stack())
    const unknown = 'unknown-to-all@atlas.example'
    const shape = ({ status, headers, body }: Raw) => {
      const names = Object.keys(headers).filter((name) => name !== 'date')
      return { status, names, body }
    }
    const from = '127.0.0.4'
    const [known, other] = [
      await signIn(email, 'not the password', from),
      await signIn(unknown, 'not the password', from),
    ]
    expect(shape(other)).toEqual(shape(known))
    const forgot = (address: string) =>
      raw(url('/password/forgot'), { body: { email: address }, from })
    expect(shape(await forgot(unknown))).toEqual(shape(await forgot(email)))
  })

  test('a session id chosen by another is not adopted; each sign-in creates its own', async () => {
    const session = await signUp(stack())
    const { email, password } = session
    const [name = ''] = session.cookie.split('=')
    const victim = new Session(stack().baseUrl, email, password)
    const planted = `${name}=planted-by-an-attacker`
    const signedIn = await victim.call('POST', '/session', {
      body: { email, password },
      headers: { Cookie: planted },
    })
    victim.storeCookie(signedIn)
    expect(victim.cookie).not.toBe(planted)
    expect(victim.cookie).not.toBe(session.cookie)
    victim.cookie = planted
    expect((await victim.call('GET', '/session')).status).toBe(401)
  })

  test('signing in ends the session that the client had', async () => {
    const session = await signUp(stack())
    const { email, password, cookie } = session
    session.storeCookie(await session.call('POST', '/session', { body: { email, password } }))
    expect((await session.call('GET', '/session')).status).toBe(200)
    session.cookie = cookie
    expect(toCode(await session.call('GET', '/session'))).toBe('401 SESSION_INVALID')
  })

  test('an old cookie is rejected after sign-out, a new password, and removal', async () => {
    const owner = await signUp(stack())
    const replays: (Session & { id: string })[] = []
    for (let at = 0; at < 3; at += 1) replays.push(await owner.welcome('MEMBER'))
    const [left, changed, removed] = replays as [
      (typeof replays)[0],
      (typeof replays)[0],
      (typeof replays)[0],
    ]
    await left.call('DELETE', '/session')
    const body = { currentPassword: changed.password, newPassword: 'le chat dort au soleil' }
    expect((await changed.call('PUT', '/password', { body })).status).toBe(200)
    expect((await owner.call('DELETE', `/members/${removed.id}`)).status).toBe(200)
    for (const session of replays) {
      expect(toCode(await session.call('GET', '/session'))).toBe('401 SESSION_INVALID')
      expect((await session.call('GET', '/invoices')).status).toBe(401)
    }
  })

  test.each([
    ['POST', '/api-keys', { name: 'x' }],
    ['POST', '/members', { email: 'x@atlas.example', role: 'OWNER' }],
    ['PUT', '/organization', { city: 'Fès' }],
    ['PUT', '/password', { currentPassword: 'x', newPassword: 'y' }],
    ['DELETE', '/sessions', undefined],
    ['DELETE', '/session', undefined],
    ['POST', '/session/confirm', { password: 'x' }],
    ['POST', '/invoices', {}],
  ])('%s %s of another site is refused, whatever it carries', async (method, route, body) => {
    const session = await signUp(stack())
    const forged = [
      { 'X-Requested-With': '' },
      { 'X-Requested-With': 'XMLHttpRequest', Origin: 'https://evil.example' },
      { 'X-Requested-With': '', 'Content-Type': 'text/plain' },
    ]
    for (const headers of forged) {
      const answer = await raw(url(route), {
        method,
        body,
        headers: { Cookie: session.cookie, ...headers },
      })
      expect([answer.status, answer.body.code]).toEqual([403, 'CSRF_REFUSED'])
    }
    expect((await session.call('GET', '/session')).status).toBe(200)
  })

  test('no user can raise their own role', async () => {
    const owner = await signUp(stack())
    const member = await owner.welcome('MEMBER')
    const refused = [
      await member.call('PUT', `/members/${member.id}`, { body: { role: 'OWNER' } }),
      await member.call('POST', '/api-keys', { body: { name: 'mine' } }),
      await member.call('PUT', '/organization', { body: { rib: '011780000012345678901296' } }),
      await member.call('POST', '/members', { body: { email: 'x@atlas.example', role: 'OWNER' } }),
    ]
    expect(new Set(refused.map(toCode))).toEqual(new Set(['403 FORBIDDEN']))
    const approved = await owner.call('PUT', '/organization', { body: { approval: 'APPROVED' } })
    expect(toCode(approved)).toBe('400 VALIDATION_ERROR')
    const stranger = await signUp(stack())
    const theirs = await stranger.call('PUT', `/members/${member.id}`, { body: { role: 'OWNER' } })
    expect(toCode(theirs)).toBe('404 MEMBER_NOT_FOUND')
  })

  test('a removed role takes effect for every request sent after the answer', async () => {
    const owner = await signUp(stack())
    const member = await owner.welcome('OWNER')
    let demotedAt = Infinity
    const sent: { at: number; status: number }[] = []
    const invite = async (worker: number) => {
      for (let at = 0, began = 0; began < demotedAt + 300; at += 1) {
        began = performance.now()
        const body = { email: `w${worker}-${at}@atlas.example`, role: 'MEMBER' }
        sent.push({ at: began, status: (await member.call('POST', '/members', { body })).status })
        await pause(20)
      }
    }
    const working = [0, 1, 2].map(invite)
    await pause(200)
    const demoted = await owner.call('PUT', `/members/${member.id}`, {
      body: { role: 'READ_ONLY' },
    })
    demotedAt = performance.now()
    expect(demoted.status).toBe(200)
    await Promise.all(working)
    const later = sent.filter(({ at }) => at > demotedAt).map(({ status }) => status)
    expect(later.length).toBeGreaterThan(0)
    expect(new Set(later)).toEqual(new Set([403]))
  })

  test.each(['/dashboard', '/dashboard/reset', '/docs'])('%s sends no Referer', async (page) => {
    const { headers } = await send('GET', `${stack().baseUrl}${page}`)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})
