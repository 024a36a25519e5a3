import { randomUUID } from 'node:crypto'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity } from '@einvoicing/proto/organizations'
import { mentionsNamed } from './legal-mentions'
import {
  anonymous,
  clientAddress,
  createCall,
  fakeTimeOfDay,
  OrganizationsUnderTest,
  password,
  readErrorCode,
} from './testdata/organizations-under-test'

const minuteMs = 60_000

const timeOfDay = fakeTimeOfDay()
let underTest: OrganizationsUnderTest
let owner: Identity
let call: Call
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  owner = await underTest.signUp('owner@example.com')
  call = createCall(owner)
})
afterEach(() => underTest.remove())

const pass = (minutes: number) => {
  underTest.nowMs += minutes * minuteMs
}
const use = (who: Identity, unattended = false) =>
  readErrorCode(underTest.handlers.authenticateMember({ ...who, unattended }, anonymous))
const list = async (by = call) => {
  const { sessions } = await underTest.handlers.listSessions({ userId: owner.userId }, by)
  return sessions
}
const confirm = (typed: string, by = call, from = clientAddress) =>
  underTest.handlers.confirmSession(
    { userId: owner.userId, password: typed, clientAddress: from },
    by,
  )

describe('a session that is not used', () => {
  it('ends after half an hour, at its bound', async () => {
    pass(29.9)
    expect(await use(owner)).toBe('OK')
    pass(29.9)
    expect(await use(owner)).toBe('OK')
    pass(30)
    expect(await use(owner)).toBe('SESSION_INVALID')
    expect(await list()).toEqual([])
  })

  it('is not used by requests that no person caused', async () => {
    pass(15)
    expect(await use(owner, true)).toBe('OK')
    pass(15)
    expect(await use(owner)).toBe('SESSION_INVALID')
  })

  it('ends after the time that is set', async () => {
    await underTest.open({ sessionIdleMs: minuteMs })
    pass(0.9)
    expect(await use(owner)).toBe('OK')
    pass(0.9)
    expect(await use(owner)).toBe('OK')
    pass(1)
    expect(await use(owner)).toBe('SESSION_INVALID')
  })
})

describe('the sessions of a user', () => {
  it('are listed with device, network and times, and without those of others', async () => {
    await underTest.signUp()
    pass(5)
    const second = await underTest.signIn('owner@example.com', password, '198.51.100.7')
    pass(5)
    await use(second)
    expect(await list()).toMatchObject([
      {
        id: second.sessionId,
        network: '198.51.100.7',
        device: 'Browser',
        lastSeenAt: new Date(underTest.nowMs).toISOString(),
        current: false,
      },
      { id: owner.sessionId, network: clientAddress, current: true },
    ])
  })

  it('end one by one, and not those of another user', async () => {
    const [second, stranger] = [
      await underTest.signIn('owner@example.com', password),
      await underTest.signUp(),
    ]
    const end = (sessionId: string, { userId } = owner) =>
      readErrorCode(underTest.handlers.endSessions({ userId, sessionId }, call))
    expect(await end(stranger.sessionId)).toBe('SESSION_NOT_FOUND')
    expect(await end(stranger.sessionId, stranger)).toBe('SESSION_NOT_FOUND')
    expect(await end(randomUUID())).toBe('SESSION_NOT_FOUND')
    expect(await end(second.sessionId)).toBe('OK')
    expect(await end(second.sessionId)).toBe('SESSION_NOT_FOUND')
    expect([await use(owner), await use(second), await use(stranger)]).toEqual([
      'OK',
      'SESSION_INVALID',
      'OK',
    ])
    const [entry] = await underTest.listAudit(call)
    expect(entry).toMatchObject({ action: 'session.ended', detail: second.sessionId })
  })

  it('end by a session alone only within ten minutes of a proof', async () => {
    const second = await underTest.signIn('owner@example.com', password)
    const { userId } = owner
    const end = (sessionId?: string) =>
      readErrorCode(underTest.handlers.endSessions({ userId, sessionId }, call))
    pass(10.1)
    expect([await end(), await end(second.sessionId)]).toEqual([
      'CONFIRMATION_REQUIRED',
      'CONFIRMATION_REQUIRED',
    ])
    expect(await use(second)).toBe('OK')
    await confirm(password)
    expect(await end(second.sessionId)).toBe('OK')
  })

  it('end all but the one that asks', async () => {
    const second = await underTest.signIn('owner@example.com', password)
    const third = await underTest.signIn('owner@example.com', password)
    const { userId } = owner
    const ended = await underTest.handlers.endSessions({ userId }, createCall(second))
    expect(ended).toEqual({ count: 2 })
    expect([await use(owner), await use(second), await use(third)]).toEqual([
      'SESSION_INVALID',
      'OK',
      'SESSION_INVALID',
    ])
  })

  it('are ended by an owner, of a member of the organization only', async () => {
    const member = await underTest.join(await underTest.invite(call, 'member@example.com'))
    const stranger = await underTest.signUp()
    const end = (memberId: string, by = call) =>
      readErrorCode(underTest.handlers.endMemberSessions({ memberId }, by))
    expect(await end(owner.userId, createCall(member))).toBe('FORBIDDEN')
    expect(await end(stranger.userId)).toBe('MEMBER_NOT_FOUND')
    expect(await end(member.userId)).toBe('OK')
    expect([await use(member), await use(stranger), await use(owner)]).toEqual([
      'SESSION_INVALID',
      'OK',
      'OK',
    ])
  })
})

describe('a confirmation', () => {
  it('gives the session another id, and ends the one before', async () => {
    const { userId } = owner
    const proof = { userId, password, clientAddress, replacesToken: true }
    const { sessionId = '' } = await underTest.handlers.confirmSession(proof, call)
    expect(sessionId).not.toBe('')
    expect(await use(owner)).toBe('SESSION_INVALID')
    expect(await readErrorCode(underTest.createKey(call))).toBe('SESSION_INVALID')
    const renewed = { ...owner, sessionId }
    expect(await use(renewed)).toBe('OK')
    expect(await list(createCall(renewed))).toMatchObject([{ id: sessionId, current: true }])
    expect(await readErrorCode(underTest.handlers.confirmSession(proof, call))).toBe(
      'SESSION_INVALID',
    )
  })

  let rib = 111_780_000_012_345_678_901_234n
  const guardedCalls = (): [string, Promise<unknown>][] => {
    const { handlers } = underTest
    const memberId = randomUUID()
    const mentions = { ...mentionsNamed('Société'), rib: String((rib += 1n)) }
    const request = { email: 'x@example.com', role: 'MEMBER', clientAddress } as const
    return [
      ['key made', handlers.createApiKey({ name: 'CI', scopes: [], allowedNetworks: [] }, call)],
      ['key revoked', handlers.revokeApiKey({ apiKeyId: randomUUID() }, call)],
      ['member invited', handlers.inviteMember(request, call)],
      ['role changed', handlers.changeMemberRole({ memberId, role: 'OWNER' }, call)],
      ['member removed', handlers.removeMember({ memberId }, call)],
      ['RIB changed', handlers.replaceLegalMentions({ mentions }, call)],
    ]
  }
  const codes = async () =>
    Promise.all(guardedCalls().map(async ([name, answer]) => [name, await readErrorCode(answer)]))
  const required = [
    'key made',
    'key revoked',
    'member invited',
    'role changed',
    'member removed',
    'RIB changed',
  ].map((name) => [name, 'CONFIRMATION_REQUIRED'])

  it('is what signing up and signing in are, for ten minutes', async () => {
    pass(10)
    expect(JSON.stringify(await codes())).not.toContain('CONFIRMATION_REQUIRED')
    pass(0.1)
    expect(await codes()).toEqual(required)
    call = createCall(await underTest.signIn('owner@example.com', password))
    expect(JSON.stringify(await codes())).not.toContain('CONFIRMATION_REQUIRED')
  })

  it('by the password holds ten minutes more, in this session alone', async () => {
    const other = createCall(await underTest.signIn('owner@example.com', password))
    pass(11)
    await confirm(password)
    expect(await readErrorCode(underTest.createKey(call))).toBe('OK')
    expect(await readErrorCode(underTest.createKey(other))).toBe('CONFIRMATION_REQUIRED')
    expect((await underTest.listAudit(call))[1]).toMatchObject({
      action: 'user.confirmed',
      actor: 'user:owner@example.com',
      detail: clientAddress,
    })
    pass(10.1)
    expect(await codes()).toEqual(required)
  })

  it('by a wrong password does not hold, and guesses are limited', async () => {
    pass(11)
    await expect(confirm('a wrong password')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'password', message: 'is not your password' }],
    })
    expect(await codes()).toEqual(required)
    for (let guess = 1; guess < limits.wrongPasswords; guess += 1) {
      expect(await readErrorCode(confirm('a wrong password'))).toBe('VALIDATION_ERROR')
    }
    expect(await readErrorCode(confirm('a wrong password'))).toBe('TOO_MANY_ATTEMPTS')
    // A right one is still taken: the owner is not locked out.
    expect(await readErrorCode(confirm(password))).toBe('OK')
    timeOfDay.pass(limits.wrongPasswordsWindowMs)
  })

  it('by password has the limits of sign-in where the user never signed in', async () => {
    const guess = (typed: string, from: string) => readErrorCode(confirm(typed, call, from))
    for (let n = 0; n < limits.wrongPasswords; n += 1) {
      expect(await guess('a wrong password', '198.51.100.7')).toBe('VALIDATION_ERROR')
    }
    expect(await guess(password, '198.51.100.7')).toBe('TOO_MANY_ATTEMPTS')
    for (let n: number = limits.wrongPasswords; n < limits.wrongPasswordsSpread; n += 1) {
      expect(await guess('a wrong password', `203.0.113.${n}`)).toBe('VALIDATION_ERROR')
    }
    expect(await guess(password, '203.0.113.1')).toBe('TOO_MANY_ATTEMPTS')
    expect(await guess(password, clientAddress)).toBe('OK')
  })

  it('is not needed for other legal details', async () => {
    pass(11)
    const mentions = { ...mentionsNamed('Société'), city: 'Rabat', phone: '0522000000' }
    await underTest.handlers.replaceLegalMentions({ mentions }, call)
    const code = await readErrorCode(
      underTest.handlers.replaceLegalMentions(
        { mentions: { ...mentions, ice: '001234567000089' } },
        call,
      ),
    )
    expect(code).toBe('CONFIRMATION_REQUIRED')
  })
})
