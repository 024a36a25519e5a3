import { limits } from '@einvoicing/domain/limits'
import { unavailable } from '@einvoicing/domain/api-error'
import { Passwords } from './password'
import {
  createCall,
  readErrorCode,
  fakeTimeOfDay,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

const timeOfDay = fakeTimeOfDay()
let underTest: OrganizationsUnderTest

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(async () => {
  await underTest.remove()
  jest.restoreAllMocks()
})

describe('signing in', () => {
  const { wrongPasswords, wrongPasswordsSpread, wrongPasswordsWindowMs } = limits

  it('returns the new user, and is audited', async () => {
    const identity = await underTest.signUp('a@example.com')
    const { sessionId, ...same } = await underTest.signIn(' A@example.com ', password)
    expect(identity).toMatchObject(same)
    expect(sessionId).not.toBe(identity.sessionId)
    expect((await underTest.listAudit(createCall(identity)))[0]).toMatchObject({
      action: 'user.signed-in',
      detail: '192.0.2.1, Browser',
    })
  })

  it('an unknown email and a wrong password get the same answer', async () => {
    await underTest.signUp('a@example.com')
    const apiErrors = await Promise.allSettled([
      underTest.signIn('a@example.com', 'wrong'),
      underTest.signIn('b@example.com', 'wrong'),
      underTest.signIn('', ''),
    ])
    const reasons = apiErrors.map(
      (apiError) => apiError.status === 'rejected' && String(apiError.reason),
    )
    expect(new Set(reasons)).toEqual(new Set(['ApiError: Incorrect email or password.']))
  })

  it('applies at once when sixty wrong passwords arrive together', async () => {
    await underTest.signUp('a@example.com')
    const codes = await Promise.all(
      Array.from({ length: 60 }, () => readErrorCode(underTest.signIn('a@example.com', 'wrong'))),
    )
    expect(codes.filter((code) => code === 'CREDENTIALS_INVALID')).toHaveLength(wrongPasswords)
    expect(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(60 - wrongPasswords)
  })

  it('locks out guesses from elsewhere, for a limited time', async () => {
    await underTest.signUp('a@example.com')
    const elsewhere = '198.51.100.7'
    for (let n = 0; n < wrongPasswords; n += 1) {
      await readErrorCode(underTest.signIn('a@example.com', 'wrong', elsewhere))
    }
    await expect(underTest.signIn('a@example.com', password, elsewhere)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe('OK')
    timeOfDay.pass(wrongPasswordsWindowMs)
    expect(await readErrorCode(underTest.signIn('a@example.com', password, elsewhere))).toBe('OK')
  })

  it('accepts the right password from a known network, whatever others try', async () => {
    jest.replaceProperty(limits, 'wrongPasswordsOfNetwork', 20 as never)
    const known = '2001:db8:1::1'
    await underTest.signUp('a@example.com', known)
    const guesses = ['a@example.com', 'b@example.com'].flatMap((email) =>
      Array.from({ length: 60 }, (_, n) =>
        readErrorCode(underTest.signIn(email, `wrong ${n}`, known)),
      ),
    )
    await Promise.all(guesses)
    const strangers = Array.from({ length: wrongPasswordsSpread + 5 }, (_, n) =>
      readErrorCode(underTest.signIn('a@example.com', 'wrong', `203.0.113.${n}`)),
    )
    await Promise.all(strangers)
    expect(await readErrorCode(underTest.signIn('a@example.com', 'wrong', known))).toBe(
      'TOO_MANY_ATTEMPTS',
    )
    expect(await readErrorCode(underTest.signIn('a@example.com', password, '2001:db8:1::2'))).toBe(
      'OK',
    )
    const unknown = readErrorCode(underTest.signIn('a@example.com', password, '203.0.113.200'))
    expect(await unknown).toBe('TOO_MANY_ATTEMPTS')
  })

  it('checks a limited number of passwords from a known network', async () => {
    jest.replaceProperty(limits, 'passwordsChecked', 15 as never)
    await underTest.signUp('a@example.com')
    for (let n = 0; n < 15; n += 1) await readErrorCode(underTest.signIn('a@example.com', 'wrong'))
    expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe(
      'TOO_MANY_ATTEMPTS',
    )
  })

  it('limits apply in another process and after a restart', async () => {
    await underTest.signUp('a@example.com')
    const other = new OrganizationsUnderTest()
    await other.open({ store: underTest.store('organizations.db') })
    const guess = (one: OrganizationsUnderTest) =>
      readErrorCode(one.signIn('a@example.com', 'wrong', '198.51.100.7'))
    for (let n = 0; n < wrongPasswords; n += 1) {
      expect(await guess(n % 2 ? underTest : other)).toBe('CREDENTIALS_INVALID')
    }
    expect(await guess(underTest)).toBe('TOO_MANY_ATTEMPTS')
    expect(await guess(other)).toBe('TOO_MANY_ATTEMPTS')
    await underTest.open()
    expect(await guess(underTest)).toBe('TOO_MANY_ATTEMPTS')
    await other.remove()
  })

  it('does not count passwords that could not be checked', async () => {
    await underTest.signUp('a@example.com')
    const matches = jest
      .spyOn(Passwords.prototype, 'matches')
      .mockRejectedValue(unavailable('Signing in'))
    const from = '198.51.100.7'
    for (let n = 0; n < wrongPasswords + 1; n += 1) {
      const code = await readErrorCode(underTest.signIn('a@example.com', password, from))
      expect(code).toBe('SERVICE_UNAVAILABLE')
    }
    matches.mockRestore()
    expect(await readErrorCode(underTest.signIn('a@example.com', password, from))).toBe('OK')
  })

  it('is audited when it fails, once for each network', async () => {
    const identity = await underTest.signUp('a@example.com')
    for (const from of ['198.51.100.7', '198.51.100.7', '2001:db8::1']) {
      await readErrorCode(underTest.signIn('a@example.com', 'wrong', from))
    }
    await readErrorCode(underTest.signIn('unknown@example.com', 'wrong'))
    await underTest.open()
    expect(await underTest.listAudit(createCall(identity))).toMatchObject([
      {
        action: 'user.sign-in-failed',
        actor: 'user:a@example.com',
        detail: '2 from 198.51.100.7, 1 from 2001:db8:0:0::/64',
      },
      { action: 'organization.created' },
    ])
  })

  it('bounds one network that tries many emails, within its /64', async () => {
    jest.replaceProperty(limits, 'wrongPasswordsOfNetwork', 20 as never)
    const guess = (n: number) =>
      readErrorCode(underTest.signIn(`${n}@example.com`, 'wrong', `2001:db8::${n}`))
    const codes = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)))
    expect(new Set(codes)).toEqual(new Set(['CREDENTIALS_INVALID']))
    expect(await guess(99)).toBe('TOO_MANY_ATTEMPTS')
  })

  it('bounds many networks that try one email', async () => {
    const guess = (n: number) =>
      readErrorCode(underTest.signIn('a@example.com', 'wrong', `203.0.113.${n}`))
    const codes = await Promise.all(
      Array.from({ length: wrongPasswordsSpread }, (_, n) => guess(n)),
    )
    expect(new Set(codes)).toEqual(new Set(['CREDENTIALS_INVALID']))
    expect(await guess(99)).toBe('TOO_MANY_ATTEMPTS')
  })

  it('checks a limited number of right passwords of one user from one network', async () => {
    jest.replaceProperty(limits, 'passwordsChecked', 15 as never)
    jest.replaceProperty(limits, 'wrongPasswordsOfNetwork', 20 as never)
    for (const email of ['a@example.com', 'b@example.com']) await underTest.signUp(email)
    const signIn = (email: string, from?: string) =>
      readErrorCode(underTest.signIn(email, password, from))
    for (let n = 0; n < 15; n += 1) expect(await signIn('a@example.com')).toBe('OK')
    for (let n = 0; n < 30; n += 1) expect(await signIn('a@example.com')).toBe('TOO_MANY_ATTEMPTS')
    expect(await signIn('b@example.com')).toBe('OK')
    expect(await signIn('a@example.com', '198.51.100.7')).toBe('OK')
    timeOfDay.pass(wrongPasswordsWindowMs)
    expect(await signIn('a@example.com')).toBe('OK')
  })

  it('does not count right passwords', async () => {
    await underTest.signUp('a@example.com')
    for (let n = 0; n < wrongPasswords + 2; n += 1) {
      expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe('OK')
    }
  })
})
