import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, Session, signUp } from '../stack/organization'
import { Passkey } from '@einvoicing/servers/authenticators/passkey'
import { totpCode } from '@einvoicing/servers/authenticators/totp'

onEveryStack('second factors', (stack) => {
  /** A step ahead, so that the code of now is still unused afterwards. */
  const minute = 60_000
  const halfMinute = 30_000

  const setUpTotp = async (session: Session) => {
    const begun = await session.call('POST', '/totp')
    expect([begun.status, begun.data.otpauthUri]).toEqual([
      201,
      expect.stringMatching(/^otpauth:\/\/totp\//),
    ])
    const { secret } = begun.data
    const wrong = await session.call('PUT', '/totp', {
      body: { code: totpCode(secret, Date.now() + 60 * minute) },
    })
    expect([wrong.status, wrong.errors?.[0]?.field]).toEqual([400, 'code'])
    const code = totpCode(secret, Date.now() - halfMinute)
    const confirmed = await session.call('PUT', '/totp', { body: { code } })
    expect(confirmed.status).toBe(200)
    expect(confirmed.data.recoveryCodes).toHaveLength(10)
    return { secret, recoveryCodes: confirmed.data.recoveryCodes as string[] }
  }
  const addPasskey = async (session: Session, name = 'Phone') => {
    const passkey = new Passkey(stack().baseUrl)
    const { data: options } = await session.call('POST', '/passkeys/options')
    const body = { name, passkey: passkey.register(options) }
    const added = await session.call('POST', '/passkeys', { body })
    expect([added.status, added.code]).toEqual([201, 'OK'])
    return { passkey, id: added.data.id as string, recoveryCodes: added.data.recoveryCodes }
  }
  const begin = async ({ email, password }: Session) => {
    const half = new Session(stack().baseUrl, email, password)
    const answer = await half.call('POST', '/session', { body: { email, password } })
    expect(answer.status).toBe(200)
    half.storeCookie(answer)
    return { half, data: answer.data }
  }
  const give = (half: Session, body: object) =>
    half.call('POST', '/session/second-factor', { body })

  test('a code completes the sign-in, with a new cookie; the half-open session allows nothing else', async () => {
    const { session } = await newOrganization(stack())
    const { secret } = await setUpTotp(session)
    const { half, data } = await begin(session)
    expect(data).toEqual({ secondFactor: ['totp', 'recovery'] })
    for (const [method, path] of [
      ['GET', '/session'],
      ['GET', '/organization'],
      ['GET', '/invoices'],
      ['GET', '/second-factor'],
      ['POST', '/totp'],
      ['DELETE', '/totp'],
      ['POST', '/api-keys'],
      ['POST', '/session/confirm'],
      ['GET', '/sessions'],
      ['PUT', '/password'],
      ['GET', '/events'],
    ] as const) {
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {}
      const answer = await half.call(method, path, body)
      expect([path, answer.status, answer.code]).toEqual([path, 401, 'SESSION_INVALID'])
    }
    const before = half.cookie
    const opened = await give(half, { code: totpCode(secret) })
    expect(opened.data).toMatchObject({
      email: session.email,
      organizationId: session.organizationId,
    })
    half.storeCookie(opened)
    expect(half.cookie).not.toBe(before)
    expect((await half.call('GET', '/session')).code).toBe('OK')
    // The half-open one is used up, and the session that was open before is still its own.
    half.cookie = before
    expect((await give(half, { code: totpCode(secret, Date.now() + minute) })).code).toBe(
      'SESSION_INVALID',
    )
    expect((await half.call('GET', '/session')).code).toBe('SESSION_INVALID')
    expect((await session.call('GET', '/session')).code).toBe('OK')
    expect((await give(session, { code: '123456' })).code).toBe('SESSION_INVALID')
  })

  test('a code works once; a wrong, a used and a malformed code get the same answer', async () => {
    const session = await signUp(stack())
    const { secret, recoveryCodes } = await setUpTotp(session)
    const code = totpCode(secret)
    const halves = await Promise.all([begin(session), begin(session), begin(session)])
    const answers = await Promise.all(halves.map(({ half }) => give(half, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const { half } = await begin(session)
    const wrong = [
      { code },
      { code: totpCode(secret, Date.now() - 5 * minute) },
      { code: totpCode(secret, Date.now() + 5 * minute) },
      { code: 'nonsense' },
      { recoveryCode: 'aaaaa-aaaaa' },
    ]
    const texts = new Set<string>()
    for (const body of wrong) {
      const { status, code: error, message } = await give(half, body)
      texts.add(`${status} ${error} ${message}`)
    }
    expect([...texts]).toEqual([
      '401 CREDENTIALS_INVALID Incorrect code, recovery code or passkey.',
    ])
    for (const body of [{}, { code, recoveryCode: 'x' }]) {
      const refused = await give(half, body)
      expect([refused.status, refused.errors?.[0]?.field]).toEqual([400, 'code'])
    }
    const [recoveryCode] = recoveryCodes
    expect((await give(half, { recoveryCode })).status).toBe(200)
    expect((await give((await begin(session)).half, { recoveryCode })).status).toBe(401)
    const { data } = await session.call('GET', '/second-factor')
    expect(data).toEqual({ totp: true, passkeys: [], recoveryCodesLeft: 9, required: false })
    const audit = await session.call('GET', '/audit?action=second-factor.')
    expect(audit.data.content.map(({ action }: { action: string }) => action)).toEqual([
      'second-factor.recovery-code-used',
      'second-factor.totp-added',
    ])
  })

  test('guesses end, and a new password ends a half-open session', async () => {
    const session = await signUp(stack())
    const { secret } = await setUpTotp(session)
    const { half } = await begin(session)
    const next = 'saffron and cedar trees'
    const changed = await session.call('PUT', '/password', {
      body: { currentPassword: session.password, newPassword: next },
    })
    session.storeCookie(changed)
    expect((await give(half, { code: totpCode(secret) })).code).toBe('SESSION_INVALID')
    const again = await begin(new Session(stack().baseUrl, session.email, next))
    let last = await give(again.half, { code: '12345' })
    for (let n = 0; n < 20 && last.status === 401; n += 1) {
      last = await give(again.half, { code: '12345' })
    }
    expect([last.status, last.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a passkey is a second factor, and signs in without a password', async () => {
    const session = await signUp(stack())
    const { passkey, id, recoveryCodes } = await addPasskey(session)
    expect(recoveryCodes).toHaveLength(10)
    const { half, data } = await begin(session)
    expect(data.secondFactor).toEqual(['passkey', 'recovery'])
    const answer = passkey.authenticate(data.passkeyOptions)
    // Of this half-open session alone.
    const other = await begin(session)
    expect((await give(other.half, { passkey: answer })).status).toBe(401)
    expect((await give(half, { passkey: answer })).status).toBe(200)

    const anonymous = new Session(stack().baseUrl, '', '')
    const signIn = (body: object) => anonymous.call('POST', '/session/passkey', { body })
    const offer = async () => (await anonymous.call('POST', '/session/passkey/options')).data
    const alone = passkey.authenticate(await offer())
    const opened = await signIn({ passkey: alone })
    expect([opened.status, opened.data.email]).toEqual([200, session.email])
    anonymous.storeCookie(opened)
    expect((await anonymous.call('GET', '/session')).code).toBe('OK')

    const stranger = new Passkey(stack().baseUrl)
    const options = await offer()
    const attacks = {
      replay: alone,
      'other page': passkey.authenticate(await offer(), { origin: 'https://evil.example' }),
      'other service': passkey.authenticate(await offer(), { rpId: 'evil.example' }),
      'not verified': passkey.authenticate(await offer(), { flags: 1 }),
      'own challenge': passkey.authenticate(await offer(), { challenge: 'x'.repeat(64) }),
      'challenge of another purpose': passkey.authenticate(data.passkeyOptions),
      copied: passkey.authenticate(await offer(), { counter: 1 }),
      unknown: stranger.authenticate(options),
      'of another': { ...stranger.authenticate(options), id: passkey.id, rawId: passkey.id },
    }
    for (const [name, attack] of Object.entries(attacks)) {
      const { status, code, message } = await signIn({ passkey: attack })
      expect([name, status, code, message]).toEqual([
        name,
        401,
        'CREDENTIALS_INVALID',
        'Incorrect code, recovery code or passkey.',
      ])
    }
    expect((await signIn({ passkey: 'x' })).status).toBe(400)

    const renamed = await session.call('PUT', `/passkeys/${id}`, { body: { name: 'Old phone' } })
    expect(renamed.data).toMatchObject({ id, name: 'Old phone' })
    const listed = await session.call('GET', '/passkeys')
    expect(listed.data.content).toEqual([
      { id, name: 'Old phone', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ])
    const strangers = await signUp(stack())
    expect((await strangers.call('DELETE', `/passkeys/${id}`)).code).toBe('PASSKEY_NOT_FOUND')
    expect((await session.call('DELETE', `/passkeys/${id}`)).status).toBe(200)
    expect((await signIn({ passkey: passkey.authenticate(await offer()) })).status).toBe(401)
    expect((await begin(session)).data.email).toBe(session.email)
  })

  test('a passkey challenge is valid for one session, once', async () => {
    const session = await signUp(stack())
    const other = await signUp(stack())
    const { data: options } = await session.call('POST', '/passkeys/options')
    const add = (of: Session, passkey: object) =>
      of.call('POST', '/passkeys', { body: { name: 'x', passkey } })
    for (const forged of [{ origin: 'https://evil.example' }, { flags: 1 }, { rpId: 'x' }]) {
      const answer = await add(session, new Passkey(stack().baseUrl).register(options, forged))
      expect([answer.status, answer.errors?.[0]?.field]).toEqual([400, 'passkey'])
    }
    const made = new Passkey(stack().baseUrl).register(options)
    expect((await add(other, made)).status).toBe(400)
    expect((await add(session, made)).status).toBe(201)
    expect((await add(session, made)).status).toBe(400)
  })

  test('a code and a passkey confirm a session', async () => {
    const { session } = await newOrganization(stack())
    const { secret } = await setUpTotp(session)
    const { passkey } = await addPasskey(session)
    const confirm = async (body: object) => {
      const { cookie } = session
      const answer = await session.call('POST', '/session/confirm', { body })
      if (answer.status !== 200) return answer
      session.storeCookie(answer)
      expect(session.cookie).not.toBe(cookie)
      return answer
    }
    const code = totpCode(secret)
    expect((await confirm({ code })).status).toBe(200)
    const used = await confirm({ code })
    expect([used.status, used.errors?.[0]?.field]).toEqual([400, 'code'])
    const { data: options } = await session.call('POST', '/session/confirm/options')
    const answer = passkey.authenticate(options)
    expect((await confirm({ passkey: answer })).status).toBe(200)
    expect((await confirm({ passkey: answer })).errors?.[0]?.field).toBe('passkey')
    expect((await confirm({})).errors?.[0]?.field).toBe('password')
    expect((await confirm({ recoveryCode: 'x' })).status).toBe(400)
  })

  test('an owner requires it of all: others can only set one up, in open sessions too', async () => {
    const { session } = await newOrganization(stack())
    const member = await session.welcome('MEMBER')
    const require = (of: Session, required?: boolean) =>
      of.call('PUT', '/organization/second-factor', { body: { required } })
    expect((await require(member, true)).code).toBe('FORBIDDEN')
    const { status, errors } = await require(session)
    expect([status, errors]).toEqual([400, [{ field: 'required', message: 'is required' }]])
    await setUpTotp(session)
    expect((await require(session, true)).status).toBe(200)
    for (const path of ['/organization', '/invoices', '/members', '/sessions', '/audit']) {
      expect([path, (await member.call('GET', path)).code]).toEqual([
        path,
        'SECOND_FACTOR_REQUIRED',
      ])
    }
    expect((await member.call('POST', '/invoices', { body: {} })).status).toBe(403)
    expect((await member.call('GET', '/session')).data.secondFactorMissing).toBe(true)
    await setUpTotp(member)
    expect((await member.call('GET', '/invoices')).code).toBe('OK')
    expect((await member.call('DELETE', '/totp')).status).toBe(200)
    expect((await begin(member)).data.secondFactorMissing).toBe(true)
    expect((await member.call('GET', '/invoices')).code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await require(session, false)).status).toBe(200)
    expect((await member.call('GET', '/invoices')).code).toBe('OK')
  })

  test('a password that is easy to guess is rejected, with field and reason', async () => {
    const stranger = new Session(stack().baseUrl, '', '')
    const email = `benali-conseil-${Date.now()}@example.com`
    const attempt = (password: string) =>
      stranger.call('POST', '/signup', {
        body: { organizationName: 'Cabinet Benali', email, password },
      })
    for (const [password, reason] of [
      ['password1234', /common password/],
      ['Benali-Conseil-1', /your own email or organization/],
      ['short', /at least 10/],
    ] as const) {
      const { status, errors } = await attempt(password)
      expect([status, errors?.[0]]).toEqual([
        400,
        { field: 'password', message: expect.stringMatching(reason) },
      ])
    }
  })
})
