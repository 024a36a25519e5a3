import { randomUUID } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity } from '@einvoicing/proto/organizations'
import { Passwords } from './password'
import {
  createCall,
  clientAddress,
  readErrorCode,
  fakeTimeOfDay,
  anonymous,
  OrganizationsUnderTest,
  password,
  hardToGuess,
} from './testdata/organizations-under-test'

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

const email = 'new@example.com'
const { membersPerOrganization, invitationLifetimeMs, wrongGuesses } = limits
const notHeld = {
  code: 'INVITATION_NOT_FOUND',
  message:
    'This invitation is not valid: it was used, withdrawn, replaced by a newer one, or is more than seven days old. Ask the person who invited you for a new one.',
}
const read = (token: string, from = clientAddress) =>
  underTest.handlers.readInvitation({ token, clientAddress: from }, anonymous)

describe('an invitation', () => {
  it('shows its organization, makes a member once, and is audited without its token', async () => {
    const token = await underTest.invite(call, ' New@Example.com ', 'READ_ONLY')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await read(token)).toEqual({
      organizationName: 'Société',
      email,
      role: 'READ_ONLY',
      expiresAt: new Date(underTest.nowMs + invitationLifetimeMs).toISOString(),
    })
    const joined = await underTest.join(token, 'a password of mine')
    const { organizationId } = owner
    expect(joined).toMatchObject({ organizationId, email, role: 'READ_ONLY', passwordVersion: 0 })
    expect(await underTest.handlers.authenticateMember(joined, anonymous)).toMatchObject({ email })
    const { sessionId: _, ...same } = joined
    expect(await underTest.signIn(email, 'a password of mine')).toMatchObject(same)
    await expect(underTest.join(token)).rejects.toMatchObject(notHeld)
    await expect(read(token)).rejects.toMatchObject(notHeld)
    const audited = await underTest.listAudit(call)
    expect(audited.slice(1, 3)).toMatchObject([
      { action: 'member.joined', actor: `user:${email}`, detail: 'READ_ONLY' },
      { action: 'member.invited', actor: 'user:owner@example.com', detail: `${email}, READ_ONLY` },
    ])
    expect(JSON.stringify(audited)).not.toContain(token)
  })

  it('is valid to the last millisecond of its seven days', async () => {
    const token = await underTest.invite(call, email)
    underTest.nowMs += invitationLifetimeMs - 1
    expect(await readErrorCode(read(token))).toBe('OK')
    underTest.nowMs += 1
    await expect(read(token)).rejects.toMatchObject(notHeld)
    await expect(underTest.join(token)).rejects.toMatchObject(notHeld)
    const later = createCall(await underTest.signIn(owner.email, password))
    const renewed = await underTest.invite(later, email)
    expect(renewed).not.toBe(token)
    expect(await readErrorCode(underTest.join(renewed))).toBe('OK')
  })

  it('only one of many concurrent acceptances joins', async () => {
    const token = await underTest.invite(call, email)
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => readErrorCode(underTest.join(token))),
    )
    expect(codes.sort()).toEqual([...Array<string>(3).fill('INVITATION_NOT_FOUND'), 'OK'])
  })

  it.each([
    [hardToGuess(limits.passwordLengthMin - 1), 'VALIDATION_ERROR'],
    [hardToGuess(limits.passwordLengthMin), 'OK'],
    [hardToGuess(limits.passwordLengthMax), 'OK'],
    [hardToGuess(limits.passwordLengthMax + 1), 'VALIDATION_ERROR'],
    [' '.repeat(limits.passwordLengthMin), 'VALIDATION_ERROR'],
    ['password1234', 'VALIDATION_ERROR'],
  ])('is accepted with the password %j: %s', async (chosen, code) => {
    const token = await underTest.invite(call, email)
    expect(await readErrorCode(underTest.join(token, chosen))).toBe(code)
  })

  it('adds a membership to an email that signed up meanwhile', async () => {
    const token = await underTest.invite(call, email)
    const { userId } = await underTest.signUp(email)
    expect(await underTest.join(token)).toMatchObject({ userId, role: 'MEMBER' })
  })

  it('works where sign-up is closed', async () => {
    await underTest.open({ signUp: 'closed' })
    expect(await readErrorCode(underTest.join(await underTest.invite(call, email)))).toBe('OK')
  })

  it('is for an email without membership', async () => {
    await expect(underTest.invite(call, 'OWNER@example.com')).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'A user with this email already exists. This person is a member already.',
    })
    for (const none of ['', 'x', 'a b@c.d', `${'x'.repeat(250)}@example.com`]) {
      await expect(underTest.invite(call, none)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fieldErrors: [{ field: 'email' }],
      })
    }
  })

  it('allows two hundred members, and not one more', async () => {
    for (let n = 1; n < membersPerOrganization; n += 1)
      await underTest.invite(call, `${n}@example.com`)
    await expect(underTest.invite(call, email)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [
        {
          field: 'email',
          message:
            'cannot be invited: the organization has 200 members and invitations, the maximum; remove one first',
        },
      ],
    })
    const { members } = await underTest.handlers.listMembers({}, call)
    expect(members).toHaveLength(membersPerOrganization)
    await underTest.handlers.removeMember({ memberId: members.at(-1)!.id }, call)
    expect(await readErrorCode(underTest.invite(call, email))).toBe('OK')
  })
})

describe('guessing is bounded', () => {
  it('of tokens, within one network, until the window ends; right ones are not counted', async () => {
    const token = await underTest.invite(call, email)
    for (let n = 0; n < wrongGuesses; n += 1) {
      expect(await readErrorCode(read(token))).toBe('OK')
      expect(await readErrorCode(read(randomUUID()))).toBe('INVITATION_NOT_FOUND')
    }
    await expect(read(token)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await readErrorCode(underTest.join(token))).toBe('TOO_MANY_ATTEMPTS')
    expect(await readErrorCode(read(token, '198.51.100.7'))).toBe('OK')
    timeOfDay.pass(limits.wrongPasswordsWindowMs)
    expect(await readErrorCode(underTest.join(token))).toBe('OK')
  })

  it('of emails that have a user', async () => {
    for (let n = 0; n < wrongGuesses; n += 1) {
      expect(await readErrorCode(underTest.invite(call, owner.email))).toBe('EMAIL_TAKEN')
    }
    expect(await readErrorCode(underTest.invite(call, email))).toBe('TOO_MANY_ATTEMPTS')
  })
})

describe('guessing by invitations that are not accepted is bounded', () => {
  it('of emails that have an account; accepted ones are not counted', async () => {
    const token = await underTest.invite(call, email)
    const stranger = await underTest.signUp('stranger@example.com', '198.51.100.7')
    const ofAccount = await underTest.invite(call, stranger.email)
    const accepted = await underTest.invite(call, 'accepted@example.com')
    expect(await readErrorCode(underTest.join(accepted))).toBe('OK')
    expect(await readErrorCode(underTest.join(ofAccount, 'password1234'))).toBe(
      'CREDENTIALS_INVALID',
    )
    for (let n = 1; n < wrongGuesses; n += 1) {
      expect(await readErrorCode(underTest.join(token, 'password1234'))).toBe('VALIDATION_ERROR')
    }
    for (const one of [token, ofAccount]) {
      expect(await readErrorCode(underTest.join(one, 'password1234'))).toBe('TOO_MANY_ATTEMPTS')
    }
    expect(await readErrorCode(underTest.joinAs(stranger, ofAccount))).toBe('OK')
    expect(await readErrorCode(underTest.join(token, password, '198.51.100.7'))).toBe('OK')
  })

  it('not of those that the service could not answer', async () => {
    const token = await underTest.invite(call, email)
    const hash = jest
      .spyOn(Passwords.prototype, 'hash')
      .mockRejectedValue(unavailable('Signing in'))
    for (let n = 0; n <= wrongGuesses; n += 1) {
      expect(await readErrorCode(underTest.join(token))).toBe('SERVICE_UNAVAILABLE')
    }
    hash.mockRestore()
    expect(await readErrorCode(underTest.join(token))).toBe('OK')
  })
})

describe('members', () => {
  const join = async (role: 'OWNER' | 'MEMBER' | 'READ_ONLY' = 'MEMBER') =>
    underTest.join(await underTest.invite(call, `${randomUUID()}@example.com`, role))
  const authenticate = (identity: Identity) =>
    underTest.handlers.authenticateMember(identity, anonymous)

  it('have another role from the next request, audited', async () => {
    const member = await join()
    const request = { memberId: member.userId, role: 'READ_ONLY' } as const
    expect(await underTest.handlers.changeMemberRole(request, call)).toMatchObject({
      role: 'READ_ONLY',
    })
    expect(await authenticate(member)).toMatchObject({ role: 'READ_ONLY' })
    expect((await underTest.listAudit(call))[0]).toMatchObject({
      action: 'member.role-changed',
      detail: `${member.email}: MEMBER → READ_ONLY`,
    })
  })

  it('removed members have no access from the next request on; their keys still work', async () => {
    const member = await join('OWNER')
    const { key } = await underTest.createKey(createCall(member))
    await underTest.handlers.removeMember({ memberId: member.userId }, call)
    expect(await readErrorCode(authenticate(member))).toBe('SESSION_INVALID')
    expect(await readErrorCode(underTest.signIn(member.email, 'correct horse battery'))).toBe(
      'CREDENTIALS_INVALID',
    )
    expect(await readErrorCode(underTest.authenticate(key))).toBe('OK')
    expect((await underTest.listAudit(call))[0]).toMatchObject({
      action: 'member.removed',
      detail: `${member.email}, OWNER`,
    })
  })

  it('a user who rejoins is a new member: old sessions stay ended', async () => {
    const member = await join()
    await underTest.handlers.removeMember({ memberId: member.userId }, call)
    const again = await underTest.join(await underTest.invite(call, member.email))
    expect(await readErrorCode(authenticate(member))).toBe('SESSION_INVALID')
    expect(await readErrorCode(authenticate(again))).toBe('OK')
  })

  it('that are unknown, or another organization’s, are not found', async () => {
    const stranger = await underTest.signUp()
    for (const memberId of [randomUUID(), stranger.userId, '']) {
      const refused = { code: 'MEMBER_NOT_FOUND', message: expect.stringContaining('No member') }
      const change = underTest.handlers.changeMemberRole({ memberId, role: 'OWNER' }, call)
      await expect(change).rejects.toMatchObject(refused)
      const removal = underTest.handlers.removeMember({ memberId }, call)
      await expect(removal).rejects.toMatchObject(refused)
    }
  })

  it('leave one owner, and the error says what to do', async () => {
    await join()
    const memberId = owner.userId
    const refused = {
      code: 'LAST_OWNER',
      message: 'This is the only OWNER of your organization: make another member OWNER first.',
    }
    await expect(underTest.handlers.removeMember({ memberId }, call)).rejects.toMatchObject(refused)
    for (const role of ['MEMBER', 'READ_ONLY'] as const) {
      const change = underTest.handlers.changeMemberRole({ memberId, role }, call)
      await expect(change).rejects.toMatchObject(refused)
    }
    await join('OWNER')
    expect(await readErrorCode(underTest.handlers.removeMember({ memberId }, call))).toBe('OK')
  })

  it('withdraw an invitation', async () => {
    const token = await underTest.invite(call, email)
    const [, invited] = (await underTest.handlers.listMembers({}, call)).members
    expect(invited).toMatchObject({ email, invitationExpiresAt: expect.any(String) })
    await underTest.handlers.removeMember({ memberId: invited!.id }, call)
    await expect(read(token)).rejects.toMatchObject(notHeld)
    expect((await underTest.listAudit(call))[0]).toMatchObject({
      detail: `${email}, MEMBER, invited`,
    })
  })
})
