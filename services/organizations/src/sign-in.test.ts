import { limits } from '@einvoicing/kernel/limits'
import {
  callOf,
  codeOf,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('signing in', () => {
  const { wrongPasswords, wrongPasswordsSpread, wrongPasswordsWindowMs } = limits

  it('answers who signed up, and is audited', async () => {
    const identity = await room.signUp('a@example.com')
    const { sessionId, ...same } = await room.signIn(' A@example.com ', password)
    expect(identity).toMatchObject(same)
    expect(sessionId).not.toBe(identity.sessionId)
    expect((await room.auditOf(callOf(identity)))[0]).toMatchObject({
      action: 'user.signed-in',
      detail: '192.0.2.1, Browser',
    })
  })

  it('answers an unknown email and a wrong password alike', async () => {
    await room.signUp('a@example.com')
    const refusals = await Promise.allSettled([
      room.signIn('a@example.com', 'wrong'),
      room.signIn('b@example.com', 'wrong'),
      room.signIn('', ''),
    ])
    const reasons = refusals.map(
      (refusal) => refusal.status === 'rejected' && String(refusal.reason),
    )
    expect(new Set(reasons)).toEqual(
      new Set(['Refusal: The email or the password is not right; try both again.']),
    )
  })

  it('meets its bound at once when sixty wrong passwords come at once', async () => {
    await room.signUp('a@example.com')
    const codes = await Promise.all(
      Array.from({ length: 60 }, () => codeOf(room.signIn('a@example.com', 'wrong'))),
    )
    expect(codes.filter((code) => code === 'CREDENTIALS_INVALID')).toHaveLength(wrongPasswords)
    expect(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(60 - wrongPasswords)
  })

  it('locks out who guesses and not the owner elsewhere, and not for ever', async () => {
    await room.signUp('a@example.com')
    for (let n = 0; n < wrongPasswords; n += 1) await codeOf(room.signIn('a@example.com', 'wrong'))
    await expect(room.signIn('a@example.com', password)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterSeconds: wrongPasswordsWindowMs / 1000,
    })
    expect(await codeOf(room.signIn('a@example.com', password, '198.51.100.7'))).toBe('OK')
    room.nowMs += wrongPasswordsWindowMs
    expect(await codeOf(room.signIn('a@example.com', password))).toBe('OK')
  })

  it('bounds one address that tries many emails, within its /64', async () => {
    const guess = (n: number) => codeOf(room.signIn(`${n}@example.com`, 'wrong', `2001:db8::${n}`))
    const codes = await Promise.all(
      Array.from({ length: wrongPasswordsSpread }, (_, n) => guess(n)),
    )
    expect(new Set(codes)).toEqual(new Set(['CREDENTIALS_INVALID']))
    expect(await guess(99)).toBe('TOO_MANY_ATTEMPTS')
  })

  it('bounds many addresses that try one email', async () => {
    const guess = (n: number) => codeOf(room.signIn('a@example.com', 'wrong', `203.0.113.${n}`))
    const codes = await Promise.all(
      Array.from({ length: wrongPasswordsSpread }, (_, n) => guess(n)),
    )
    expect(new Set(codes)).toEqual(new Set(['CREDENTIALS_INVALID']))
    expect(await guess(99)).toBe('TOO_MANY_ATTEMPTS')
  })

  it('does not count right passwords', async () => {
    await room.signUp('a@example.com')
    for (let n = 0; n < wrongPasswords + 2; n += 1) {
      expect(await codeOf(room.signIn('a@example.com', password))).toBe('OK')
    }
  })
})
