import { limits } from '@einvoicing/domain/limits'
import type { Identity } from '@einvoicing/proto/organizations'
import { MailedOrganizations, readVerificationToken } from './testdata/mailed-organizations'
import {
  anonymous,
  clientAddress,
  createCall,
  fakeTimeOfDay,
  password,
  readErrorCode,
} from './testdata/organizations-under-test'

const email = 'a@example.com'

let underTest: MailedOrganizations
const open = () => underTest.openWithMail()

const time = fakeTimeOfDay()
beforeEach(async () => {
  underTest = await MailedOrganizations.prepare()
  await open()
})
afterEach(() => underTest.remove())

const untilCame = async (count: number) => (await underTest.untilCame(count))[count - 1] ?? ''
const verify: MailedOrganizations['verify'] = (...of) => underTest.verify(...of)
const resend = (address = email, client = clientAddress) =>
  underTest.handlers.requestEmailVerification({ email: address, clientAddress: client }, anonymous)
const authenticate = (identity: Identity, verifying = false) =>
  underTest.handlers.authenticateMember({ ...identity, verifying }, anonymous)

describe('a new account, where mail is sent by SMTP', () => {
  it('is nothing but its session until the link was opened in it', async () => {
    const identity = await underTest.signUp(email)
    expect(identity.emailUnverified).toBe(true)
    expect(await readErrorCode(authenticate(identity))).toBe('EMAIL_NOT_VERIFIED')
    expect(await authenticate(identity, true)).toMatchObject({ emailUnverified: true })
    const text = await untilCame(1)
    expect(text).toContain('Un compte a été créé avec cette adresse, depuis le réseau 192.0.2.1.')
    expect(text).toContain('An account was created with this address, from the network 192.0.2.1.')
    // A stranger chose it, and may have typed the address of anyone.
    expect(text).not.toContain('Société')
    const token = readVerificationToken(text)
    expect(await verify(token, { session: identity })).toEqual({ email })
    expect((await authenticate(identity)).emailUnverified).toBeUndefined()
    expect((await underTest.signIn(email, password)).emailUnverified).toBeUndefined()
    const actions = (await underTest.listAudit(createCall(identity))).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['email.verified', 'email.link-offered']))
    expect(underTest.lines.join('')).not.toContain(token)
  })

  it('stays unverified over sign-in and restart', async () => {
    await underTest.signUp(email)
    await untilCame(1)
    await open()
    expect((await underTest.signIn(email, password)).emailUnverified).toBe(true)
  })

  it('is verified from another browser with its password, and by no other session', async () => {
    const identity = await underTest.signUp(email)
    const token = readVerificationToken(await untilCame(1))
    const stranger = await underTest.signUp('b@example.com')
    const failed = (proof: object) => verify(token, proof).catch((error: unknown) => error)
    const needed = { fieldErrors: [{ field: 'password', message: expect.any(String) as string }] }
    expect(await failed({})).toMatchObject(needed)
    expect(await failed({ session: stranger })).toMatchObject(needed)
    expect(await failed({ password: 'guess' })).toMatchObject(needed)
    const ended = { ...identity, sessionId: stranger.sessionId }
    expect(await failed({ session: ended })).toMatchObject(needed)
    expect(await verify(token, { password })).toEqual({ email })
  })

  it.each([
    ['used', (token: string) => verify(token, { password })],
    [
      'a day old',
      () => {
        underTest.nowMs += limits.emailLinkLifetimeMs
      },
    ],
  ])('rejects a link that is %s', async (_, end) => {
    const identity = await underTest.signUp(email)
    const token = readVerificationToken(await untilCame(1))
    await end(token)
    const failed = verify(token, { session: identity, password })
    await expect(failed).rejects.toMatchObject({ fieldErrors: [{ field: 'token' }] })
    const unknown = verify('x'.repeat(43), { password })
    expect((await failed.catch((error: unknown) => error)) as Error).toEqual(
      await unknown.catch((error: unknown) => error),
    )
  })

  it('accepts a link in its last millisecond', async () => {
    const identity = await underTest.signUp(email)
    const token = readVerificationToken(await untilCame(1))
    underTest.nowMs += limits.emailLinkLifetimeMs - 1
    expect(await verify(token, { password })).toEqual({ email: identity.email })
  })

  it('is verified once by two links that are opened at the same time', async () => {
    await underTest.signUp(email)
    await resend()
    const tokens = [
      readVerificationToken(await untilCame(1)),
      readVerificationToken(await untilCame(2)),
    ]
    const codes = await Promise.all(tokens.map((one) => readErrorCode(verify(one, { password }))))
    expect(codes.sort()).toEqual(['OK', 'VALIDATION_ERROR'])
  })

  it('is verified by a new password chosen from a link', async () => {
    await underTest.signUp(email)
    await untilCame(1)
    await underTest.handlers.requestPasswordReset({ email, clientAddress }, anonymous)
    const [, token = ''] = /reset#token=([\w-]{43})/.exec(await untilCame(2)) ?? []
    const reset = { token, password: 'another password', clientAddress }
    await underTest.handlers.resetPassword(reset, anonymous)
    expect((await underTest.signIn(email, 'another password')).emailUnverified).toBeUndefined()
  })

  it('is verified too when it was invited', async () => {
    const owner = await underTest.signUp(email)
    await verify(readVerificationToken(await untilCame(1)), { session: owner })
    const joined = await underTest.join(await underTest.invite(createCall(owner), 'b@example.com'))
    expect(joined.emailUnverified).toBe(true)
    expect(await readErrorCode(authenticate(joined))).toBe('EMAIL_NOT_VERIFIED')
    const [verification] = await underTest.untilCame(1, 'b@example.com')
    expect(verification).not.toContain('Société')
  })

  it('gets a link for a new password without the names that its owner chose', async () => {
    const owner = await underTest.signUp(email)
    await verify(readVerificationToken(await untilCame(1)), { session: owner })
    const call = createCall(owner)
    const joined = await underTest.join(await underTest.invite(call, 'b@example.com'))
    const [verification] = await underTest.untilCame(1, 'b@example.com')
    const { userId } = owner
    const sendReset = () =>
      underTest.handlers.sendMemberReset({ userId, memberId: joined.userId, clientAddress }, call)
    await sendReset()
    const [, unverified] = await underTest.untilCame(2, 'b@example.com')
    expect(unverified).toContain('A new password was requested for your account')
    expect(unverified).not.toContain('Société')
    await verify(readVerificationToken(verification), { session: joined })
    await sendReset()
    const [, , verified] = await underTest.untilCame(3, 'b@example.com')
    expect(verified).toContain('an owner of Société, has sent you a link')
  })
})

describe('an account that is not verified in 48 hours', () => {
  const expire = (ms: number) => {
    underTest.nowMs += ms
    // The sweep runs at the start, and then every hour.
    return open()
  }
  const untilGone = async () => {
    for (const endsAt = performance.now() + 30_000; performance.now() < endsAt;) {
      if (underTest.lines.some((line) => line.includes('account not verified in time'))) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(underTest.lines.join(''))
  }

  it('is removed, so that the owner of the address signs up', async () => {
    const squatter = await underTest.signUp(email)
    await untilCame(1)
    await expire(limits.unverifiedLifetimeMs)
    await untilGone()
    expect(await readErrorCode(underTest.signIn(email, password))).toBe('CREDENTIALS_INVALID')
    expect(await readErrorCode(authenticate(squatter, true))).toBe('SESSION_INVALID')
    const entries = await underTest.listAudit(createCall(squatter))
    expect(entries[0]).toMatchObject({ action: 'account.expired', detail: email })
    const owner = await underTest.signUp(email)
    expect(owner.organizationId).not.toBe(squatter.organizationId)
    await verify(readVerificationToken(await untilCame(2)), { session: owner })
  })

  it('is there a millisecond earlier, and stays once it is verified', async () => {
    await underTest.signUp(email)
    await untilCame(1)
    await expire(limits.unverifiedLifetimeMs - 1)
    expect((await underTest.signIn(email, password)).emailUnverified).toBe(true)
    await resend()
    await verify(readVerificationToken(await untilCame(2)), { password })
    await underTest.signUp('b@example.com')
    await expire(limits.unverifiedLifetimeMs)
    await untilGone()
    expect(await readErrorCode(underTest.signIn(email, password))).toBe('OK')
    expect(await readErrorCode(underTest.signIn('b@example.com', password))).toBe(
      'CREDENTIALS_INVALID',
    )
  })
})

describe('another link', () => {
  it('is requested with one answer for any email, and goes to unverified ones alone', async () => {
    await underTest.signUp(email)
    await verify(readVerificationToken(await untilCame(1)), { password })
    await underTest.signUp('b@example.com')
    await untilCame(2)
    const answers = [
      await resend(),
      await resend('unknown@example.com'),
      await resend('B@example.com'),
    ]
    expect(answers).toEqual([{}, {}, {}])
    const text = await untilCame(3)
    expect(await verify(readVerificationToken(text), { password })).toEqual({
      email: 'b@example.com',
    })
    expect(underTest.server.messages).toHaveLength(3)
  })

  it(`is mailed ${limits.passwordResetsOfEmail} times in a quarter of an hour, and later again`, async () => {
    await underTest.signUp(email)
    const count = limits.passwordResetsOfEmail
    for (let sent = 0; sent <= count; sent += 1) await resend()
    await untilCame(1 + count)
    time.pass(limits.wrongPasswordsWindowMs)
    await resend()
    await untilCame(2 + count)
    expect(underTest.server.messages).toHaveLength(2 + count)
  })

  it(`is requested ${limits.passwordResetsOfNetwork} times by a network`, async () => {
    for (let sent = 0; sent < limits.passwordResetsOfNetwork; sent += 1) {
      await resend(`a${sent}@example.com`)
    }
    expect(await readErrorCode(resend('b@example.com'))).toBe('TOO_MANY_ATTEMPTS')
    expect(await readErrorCode(resend('b@example.com', '198.51.100.1'))).toBe('OK')
  })

  it('is rejected for a text that is not an email', async () => {
    for (const typed of ['', 'a', 'a@b.c\r\nBcc: x@example.com']) {
      expect(await readErrorCode(resend(typed))).toBe('VALIDATION_ERROR')
    }
  })
})

describe('without SMTP', () => {
  it('nothing is asked, also of accounts that were to be verified', async () => {
    const before = await underTest.signUp(email)
    await untilCame(1)
    const folder = underTest.file('mail')
    await underTest.open({ mail: { ...underTest.mail, transport: { kind: 'folder', folder } } })
    expect((await authenticate(before)).emailUnverified).toBeUndefined()
    const identity = await underTest.signUp('b@example.com')
    expect(identity.emailUnverified).toBeUndefined()
    await resend('b@example.com')
    expect((await authenticate(identity)).emailUnverified).toBeUndefined()
  })

  it('an account counts as verified when SMTP is set later', async () => {
    await underTest.open({})
    const identity = await underTest.signUp(email)
    await open()
    expect((await authenticate(identity)).emailUnverified).toBeUndefined()
  })
})
