import http from 'node:http'
import { requestJson } from '../stack/http'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, Session, signUp } from '../stack/organization'

onEveryStack('sessions', (stack) => {
  const fromDashboard = { 'X-Requested-With': 'dashboard' }
  const readCode = async (session: Session) => (await session.call('GET', '/session')).code

  const readCurrent = async (session: Session): Promise<{ id: string }> => {
    const { content } = (await session.call('GET', '/sessions')).data
    return content.find(({ current }: { current: boolean }) => current)
  }

  const signInAgain = async ({ email, password }: Session) => {
    const again = new Session(stack().baseUrl, email, password)
    again.storeCookie(await again.call('POST', '/session', { body: { email, password } }))
    return again
  }

  /** A POST whose last byte is sent by `finish`. */
  const halfSend = (session: Session, path: string, body: object) => {
    const text = JSON.stringify(body)
    const request = http.request(`${stack().baseUrl}/dashboard/api${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        ...fromDashboard,
        Cookie: session.cookie,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      },
    })
    const answered = new Promise<{ status: number; code: string }>((resolve, reject) => {
      request.once('error', reject)
      request.once('response', (response) => {
        let read = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (read += chunk))
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, code: JSON.parse(read).code })
        })
      })
    })
    request.write(text.slice(0, -1))
    return {
      finish() {
        request.end(text.slice(-1))
        return answered
      },
    }
  }

  test('signing out ends the session on the server, and no other of the user', async () => {
    const first = await signUp(stack())
    const second = await signInAgain(first)
    const { cookie } = first
    expect((await first.call('DELETE', '/session')).status).toBe(200)
    const ended = await requestJson('GET', `${stack().baseUrl}/dashboard/api/session`, {
      headers: { Cookie: cookie },
    })
    expect([ended.status, ended.code]).toEqual([401, 'SESSION_INVALID'])
    first.cookie = cookie
    expect((await first.call('POST', '/api-keys', { body: { name: 'x' } })).code).toBe(
      'SESSION_INVALID',
    )
    expect((await first.call('DELETE', '/session')).status).toBe(200)
    expect(await readCode(second)).toBe('OK')
    const { data } = await second.call('GET', '/audit?action=user.signed-out')
    expect(data.content).toHaveLength(1)
  })

  test('a user lists the open sessions, and ends one, all others, and those of a member', async () => {
    const { session: first } = await newOrganization(stack())
    const [second, third] = [await signInAgain(first), await signInAgain(first)]
    const list = async (of: Session) => (await of.call('GET', '/sessions')).data.content
    const listed = await list(first)
    expect(listed).toHaveLength(3)
    const own = listed.filter(({ current }: { current: boolean }) => current)
    expect(own).toEqual([
      {
        id: expect.any(String),
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        network: first.address,
        device: expect.any(String),
        current: true,
      },
    ])
    const [{ id }] = (await list(second)).filter(({ current }: { current: boolean }) => current)
    const stranger = await signUp(stack())
    for (const unknown of [id, crypto.randomUUID(), 'x']) {
      const refused = await stranger.call('DELETE', `/sessions/${unknown}`)
      expect([refused.status, refused.code]).toEqual([404, 'SESSION_NOT_FOUND'])
    }
    expect((await first.call('DELETE', `/sessions/${id}`)).status).toBe(200)
    expect(await readCode(second)).toBe('SESSION_INVALID')
    expect((await first.call('DELETE', '/sessions')).data).toEqual({ ended: 1 })
    expect([await readCode(first), await readCode(third)]).toEqual(['OK', 'SESSION_INVALID'])

    const member = await first.welcome('READ_ONLY')
    const ended = await first.call('DELETE', `/members/${member.id}/sessions`)
    expect([ended.status, ended.data]).toEqual([200, { ended: 1 }])
    expect(await readCode(member)).toBe('SESSION_INVALID')
    const { data } = await first.call('GET', '/audit?action=session.ended')
    expect(data.content).toHaveLength(3)
  })

  test('a session is confirmed by its password alone', async () => {
    const session = await signUp(stack())
    const confirm = (body: object) => session.call('POST', '/session/confirm', { body })
    const wrong = await confirm({ password: 'another password' })
    expect([wrong.status, wrong.errors]).toEqual([
      400,
      [{ field: 'password', message: 'is not your password' }],
    ])
    const before = { cookie: session.cookie, id: (await readCurrent(session)).id }
    const confirmed = await confirm({ password: session.password })
    expect(confirmed.status).toBe(200)
    // What was stolen with the cookie from before is not confirmed.
    expect(await readCode(session)).toBe('SESSION_INVALID')
    session.storeCookie(confirmed)
    expect(session.cookie).not.toBe(before.cookie)
    expect((await readCurrent(session)).id).not.toBe(before.id)
    expect((await session.call('GET', '/sessions')).data.content).toHaveLength(1)
    expect((await confirm({})).errors?.[0]?.field).toBe('password')
  })

  test('a member removed or signed out while a body arrives writes nothing', async () => {
    const { session: owner } = await newOrganization(stack())
    for (const end of ['removed', 'signed out'] as const) {
      const member = await owner.welcome('OWNER')
      const key = halfSend(member, '/api-keys', { name: 'late' })
      const invited = { email: `${crypto.randomUUID()}@late.example`, role: 'OWNER' }
      const invitation = halfSend(member, '/members', invited)
      await new Promise((resolve) => setTimeout(resolve, 200))
      const ended =
        end === 'removed'
          ? await owner.call('DELETE', `/members/${member.id}`)
          : await member.call('DELETE', '/session')
      expect(ended.status).toBe(200)
      expect(await key.finish()).toEqual({ status: 401, code: 'SESSION_INVALID' })
      expect(await invitation.finish()).toEqual({ status: 401, code: 'SESSION_INVALID' })
    }
    const keys = (await owner.call('GET', '/api-keys')).data.content
    expect(keys.map(({ name }: { name: string }) => name)).not.toContain('late')
    const members = (await owner.call('GET', '/members')).data.content
    expect(members.filter(({ email }: { email: string }) => /late/.test(email))).toEqual([])
  })

  test('a member demoted while a body arrives writes nothing', async () => {
    const { session: owner } = await newOrganization(stack())
    const member = await owner.welcome('OWNER')
    const key = halfSend(member, '/api-keys', { name: 'late' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const role = { body: { role: 'MEMBER' } }
    expect((await owner.call('PUT', `/members/${member.id}`, role)).status).toBe(200)
    expect(await key.finish()).toEqual({ status: 403, code: 'FORBIDDEN' })
  })

  test('legal details that another user saved are not overwritten', async () => {
    const { session: owner } = await newOrganization(stack())
    const read = await owner.call('GET', '/organization')
    const tag = read.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
    const put = (body: object, ifMatch?: string) =>
      owner.call('PUT', '/organization', {
        body,
        ...(ifMatch !== undefined && { headers: { 'If-Match': ifMatch } }),
      })
    const first = await put({ city: 'Fès' }, `"another", ${tag}`)
    expect(first.status).toBe(200)
    const late = await put({ rib: '0'.repeat(24) }, tag)
    expect([late.status, late.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await put({ phone: '1' }, `W/${tag}`)).status).toBe(412)
    const malformed = await put({ phone: '1' }, 'x')
    expect([malformed.status, malformed.errors?.[0]?.field]).toEqual([400, 'If-Match'])
    const now = await owner.call('GET', '/organization')
    expect(now.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(now.data).toMatchObject({ city: 'Fès', rib: read.data.rib, phone: read.data.phone })
    for (const any of [now.headers.get('etag') ?? '', '*', undefined]) {
      expect((await put({ phone: null }, any)).status).toBe(200)
    }
    const { headers } = await owner.call('GET', '/organization')
    const current = headers.get('etag') ?? ''
    // As a proxy that compresses the answer changes it.
    for (const changed of [`W/${current}`, current.replace(/"$/, '-gzip"')]) {
      expect((await put({ phone: null }, changed)).status).toBe(200)
    }
  })

  test('of two concurrent saves of one version, one gets an error; without If-Match both succeed', async () => {
    const { session: owner } = await newOrganization(stack())
    const tag = (await owner.call('GET', '/organization')).headers.get('etag') ?? ''
    const changes = [{ city: 'Rabat' }, { phone: '+212 600 00 00 01' }]
    const save = (headers: Record<string, string>) =>
      Promise.all(changes.map((body) => owner.call('PUT', '/organization', { body, headers })))
    const statuses = (await save({ 'If-Match': tag })).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 412])
    expect((await save({})).map(({ status }) => status)).toEqual([200, 200])
    const { data } = await owner.call('GET', '/organization')
    expect(data).toMatchObject({ city: 'Rabat', phone: '+212 600 00 00 01' })
  })
})
