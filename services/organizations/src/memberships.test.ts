import { randomUUID } from 'node:crypto'
import { limits } from '@einvoicing/domain/limits'
import type { Role } from '@einvoicing/domain/role'
import type { Call } from '@einvoicing/rpc/call'
import type { Identity } from '@einvoicing/proto/organizations'
import Database from 'libsql'
import {
  clientAddress,
  createCall,
  device,
  fakeTimeOfDay,
  OrganizationsUnderTest,
  password,
  readErrorCode,
} from './testdata/organizations-under-test'

fakeTimeOfDay()
let underTest: OrganizationsUnderTest
let owner: Identity
let call: Call
/** Of an organization of their own. */
let accountant: Identity
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  owner = await underTest.signUp('owner@example.com')
  call = createCall(owner)
  accountant = await underTest.signUp('accountant@example.com')
})
afterEach(() => underTest.remove())

const invite = (role: Role = 'ACCOUNTANT', by = call) => {
  // Memberships are listed in the order of joining.
  underTest.nowMs += 1
  return underTest.invite(by, accountant.email, role)
}
const join = async (role: Role = 'ACCOUNTANT') => underTest.joinAs(accountant, await invite(role))
const authenticate = (identity: Identity) =>
  underTest.handlers.authenticateMember(identity, createCall(identity))
const isOpen = async (identity: Identity) => (await readErrorCode(authenticate(identity))) === 'OK'
const switchTo = (identity: Identity, organizationId: string) =>
  underTest.handlers.switchOrganization(
    { userId: identity.userId, organizationId, clientAddress, device },
    createCall(identity),
  )
const memberships = () => [
  { organizationId: accountant.organizationId, organizationName: 'Société', role: 'OWNER' },
  { organizationId: owner.organizationId, organizationName: 'Société', role: 'ACCOUNTANT' },
]

describe('an invitation to an email that has an account', () => {
  it('adds a membership by a session, which moves to the organization', async () => {
    const joined = await join()
    expect(joined).toMatchObject({
      userId: accountant.userId,
      organizationId: owner.organizationId,
      role: 'ACCOUNTANT',
      memberships: memberships(),
      sessionExpiresAt: accountant.sessionExpiresAt,
    })
    expect([await isOpen(accountant), await isOpen(joined)]).toEqual([false, true])
    expect((await underTest.listAudit(call))[0]).toMatchObject({
      action: 'member.joined',
      actor: `user:${accountant.email}`,
      detail: 'ACCOUNTANT',
    })
  })

  it('is accepted with its password, and with no other', async () => {
    const token = await invite()
    expect(await readErrorCode(underTest.join(token, 'another password'))).toBe(
      'CREDENTIALS_INVALID',
    )
    const joined = await underTest.join(token)
    expect(joined).toMatchObject({ userId: accountant.userId, memberships: memberships() })
    expect([await isOpen(accountant), await isOpen(joined)]).toEqual([true, true])
    expect(await readErrorCode(underTest.join(token))).toBe('INVITATION_NOT_FOUND')
  })

  it('counts wrong passwords with those of sign-in', async () => {
    const token = await invite()
    for (let n = 0; n < limits.wrongPasswords; n += 1) {
      await readErrorCode(underTest.join(token, 'another password', '198.51.100.7'))
    }
    expect(await readErrorCode(underTest.join(token, password, '198.51.100.7'))).toBe(
      'TOO_MANY_ATTEMPTS',
    )
  })

  it('is not accepted by another account', async () => {
    const token = await invite()
    const other = await underTest.signUp()
    await expect(underTest.joinAs(other, token)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [
        {
          field: 'token',
          message: `is for ${accountant.email}: sign out, and accept it with that account`,
        },
      ],
    })
    expect(await isOpen(other)).toBe(true)
  })

  it('is not accepted by a session that has ended', async () => {
    const token = await invite()
    await underTest.handlers.endSession({ clientAddress }, createCall(accountant))
    expect(await readErrorCode(underTest.joinAs(accountant, token))).toBe('SESSION_INVALID')
  })

  it('is limited like members; a member is not invited again', async () => {
    await join()
    expect(await readErrorCode(invite())).toBe('EMAIL_TAKEN')
  })
})

describe('switching', () => {
  it('ends the session in one organization and opens it in the other, no longer than before', async () => {
    const joined = await join()
    underTest.nowMs += 60 * 60_000 - 1
    const returned = await underTest.signIn(accountant.email, password)
    expect(returned).toMatchObject({ organizationId: owner.organizationId })
    underTest.nowMs += 1000
    const back = await switchTo(returned, accountant.organizationId)
    expect(back).toMatchObject({
      organizationId: accountant.organizationId,
      role: 'OWNER',
      memberships: memberships(),
      sessionExpiresAt: returned.sessionExpiresAt,
    })
    expect(await Promise.all([joined, returned, back].map(isOpen))).toEqual([false, false, true])
    const [here, there] = [
      await underTest.listAudit(createCall(back)),
      await underTest.listAudit(call),
    ]
    expect(here[0]).toMatchObject({ action: 'user.switched', detail: 'entered' })
    expect(there[0]).toMatchObject({ action: 'user.switched', detail: 'left' })
    // The log of one organization names no other one.
    expect(JSON.stringify(there)).not.toContain(accountant.organizationId)
  })

  it('is refused to an organization of others, and to a session that has ended', async () => {
    for (const organizationId of [owner.organizationId, randomUUID(), '']) {
      await expect(switchTo(accountant, organizationId)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fieldErrors: [
          {
            field: 'organizationId',
            message: 'is not one of your organizations: see GET organizations',
          },
        ],
      })
    }
    const joined = await join()
    expect(await readErrorCode(switchTo(accountant, owner.organizationId))).toBe('SESSION_INVALID')
    expect(await isOpen(joined)).toBe(true)
  })

  it('does not make a network or device known, as a sign-in does', async () => {
    const joined = await join()
    const elsewhere = { clientAddress: '198.51.100.7', device: 'Another' }
    const switched = await underTest.handlers.switchOrganization(
      { userId: joined.userId, organizationId: joined.organizationId, ...elsewhere },
      createCall(joined),
    )
    const database = new Database(underTest.file('organizations.db'))
    const known = database
      .prepare('SELECT known_networks AS networks, known_devices AS devices FROM user WHERE id = ?')
      .get([joined.userId])
    database.close()
    expect(known).toMatchObject({ networks: '["192.0.2.1"]', devices: '["Browser"]' })
    const listed = { userId: joined.userId }
    const { sessions } = await underTest.handlers.listSessions(listed, createCall(switched))
    expect(sessions).toMatchObject([{ network: '192.0.2.1', device }])
  })

  it('switching to one that requires a second factor asks for it', async () => {
    const joined = await join()
    const back = await switchTo(joined, accountant.organizationId)
    await underTest.handlers.requireSecondFactor({ required: true }, call)
    const entered = await switchTo(back, owner.organizationId)
    expect(entered.secondFactorMissing).toBe(true)
    expect(await readErrorCode(authenticate(entered))).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('stores the time of the last confirmation', async () => {
    const joined = await join()
    underTest.nowMs += limits.confirmationLifetimeMs + 1
    const back = createCall(await switchTo(joined, accountant.organizationId))
    const made = underTest.handlers.createApiKey(
      { name: 'CI', scopes: [], allowedNetworks: [] },
      back,
    )
    expect(await readErrorCode(made)).toBe('CONFIRMATION_REQUIRED')
  })
})

describe('what an owner does to a member of several organizations', () => {
  it('ends in one organization: role, sessions and membership', async () => {
    const there = await join('OWNER')
    const here = await switchTo(
      await underTest.signIn(accountant.email, password),
      accountant.organizationId,
    )
    const { userId: memberId } = accountant
    await underTest.handlers.changeMemberRole({ memberId, role: 'READ_ONLY' }, call)
    expect(await authenticate(there)).toMatchObject({ role: 'READ_ONLY' })
    expect(await authenticate(here)).toMatchObject({ role: 'OWNER' })
    expect(await underTest.handlers.endMemberSessions({ memberId }, call)).toEqual({ count: 1 })
    expect([await isOpen(there), await isOpen(here)]).toEqual([false, true])
    await underTest.handlers.removeMember({ memberId }, call)
    expect(await isOpen(here)).toBe(true)
    const signedIn = await underTest.signIn(accountant.email, password)
    expect(signedIn).toMatchObject({
      organizationId: accountant.organizationId,
      memberships: memberships().slice(0, 1),
    })
  })

  it('owners do not see sessions in other organizations; the user sees and ends all', async () => {
    const there = await join()
    const here = await switchTo(
      await underTest.signIn(accountant.email, password),
      accountant.organizationId,
    )
    const by = createCall(here)
    const { userId } = accountant
    const { sessions } = await underTest.handlers.listSessions({ userId }, by)
    expect(sessions.map(({ id }) => id).sort()).toEqual([there.sessionId, here.sessionId].sort())
    expect(await underTest.handlers.endSessions({ userId }, by)).toEqual({ count: 1 })
    expect([await isOpen(there), await isOpen(here)]).toEqual([false, true])
    expect((await underTest.listAudit(call))[0]).toMatchObject({ action: 'session.ended' })
  })
})

it.each([
  [limits.membershipsPerUser - 1, 'OK'],
  [limits.membershipsPerUser, 'VALIDATION_ERROR'],
])('makes a member of who belongs to %i organizations: %s', async (organizations, code) => {
  const database = new Database(underTest.file('organizations.db'))
  const addOrganization = database.prepare(
    `INSERT INTO organization (id, mentions, created_at) VALUES (?, '{"name":"Société"}', '')`,
  )
  const addMembership = database.prepare("INSERT INTO membership VALUES (?, ?, 'MEMBER', '')")
  for (let at = 1; at < organizations; at += 1) {
    const id = randomUUID()
    addOrganization.run([id])
    addMembership.run([accountant.userId, id])
  }
  database.close()
  expect(await readErrorCode(join())).toBe(code)
})
