import { randomUUID } from 'node:crypto'
import type { Mail } from '../mail/mail'
import { noFactors, type SecondFactors } from '../second-factor/factors'
import {
  anAudit,
  anOrganization,
  aSession,
  at,
  by,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { OrganizationStore, SecondFactorChange, User, Writer } from './store'

const enrolled: SecondFactors = { ...noFactors, totp: { secret: 'sealed', lastStep: 7 } }

export function secondFactorsContract(opened: () => StoreUnderTest): void {
  describe('second factors', () => describeFactors(opened))
}

function describeFactors(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  let owner: User
  beforeEach(async () => {
    store = opened().store
    owner = await addOwner()
  })
  const addOwner = async () => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization.user
  }
  const change = (
    user: User,
    after: SecondFactors,
    more: Partial<SecondFactorChange> = {},
    who: Writer = by(user.organizationId),
  ) => store.changeSecondFactors(who, user.id, () => ({ after, audits: [], ...more }))
  const listActions = async ({ organizationId }: User) => {
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 100 })
    return entries.map(({ action }) => action)
  }

  it('are none at first, then what was stored last, also after a restart', async () => {
    expect(await store.findSecondFactors(owner.id)).toEqual(noFactors)
    expect(await change(owner, enrolled)).toBe(true)
    store = await opened().reopen()
    expect(await store.findSecondFactors(owner.id)).toEqual(enrolled)
    await change(owner, { ...enrolled, totp: undefined })
    expect(await store.findSecondFactors(owner.id)).toEqual(noFactors)
  })

  it('change together with audit entries, notices and session, or not at all', async () => {
    const mail: Mail = {
      id: randomUUID(),
      kind: 'second-factor-changed',
      to: owner.email,
      network: '',
      createdAt: at,
    }
    const session = aSession(owner)
    const one = { ...anAudit('one'), notices: [mail] }
    const more = { audits: [one, anAudit('two')], session }
    expect(await change(owner, enrolled, more)).toBe(true)
    expect(await listActions(owner)).toEqual(expect.arrayContaining(['one', 'two']))
    expect(await store.takeMails({ now: at, leaseUntil: at, count: 1 })).toHaveLength(1)
    expect(await store.findSession(session)).toBeDefined()

    const stale = { session: aSession({ ...owner, passwordVersion: 1 }), audits: [anAudit('x')] }
    expect(await change(owner, noFactors, stale)).toBe(false)
    const nothing = () => undefined
    expect(await store.changeSecondFactors(by(owner.organizationId), owner.id, nothing)).toBe(false)
    const wrong = store.changeSecondFactors(by(owner.organizationId), owner.id, () => {
      throw new Error('wrong')
    })
    await expect(wrong).rejects.toThrow('wrong')
    expect(await change({ ...owner, id: randomUUID() }, enrolled)).toBe(false)
    expect(await store.findSecondFactors(owner.id)).toEqual(enrolled)
    expect(await listActions(owner)).not.toContain('x')
  })

  it('are changed one after the other, even when sent concurrently', async () => {
    const other = await opened().openAnother()
    const spend = (one: OrganizationStore) => {
      let isSpent = false
      return one
        .changeSecondFactors(by(owner.organizationId), owner.id, (before) => {
          isSpent = (before.totp?.lastStep ?? 0) < 8
          if (!isSpent) return undefined
          return { after: { ...enrolled, totp: { secret: 's', lastStep: 8 } }, audits: [] }
        })
        .then((isChanged) => isChanged && isSpent)
    }
    await change(owner, enrolled)
    const outcomes = await Promise.all([store, other, store, other].map(spend))
    expect(outcomes.filter((one) => one)).toHaveLength(1)
  })

  it('confirms the session of the writer, and ends the user’s others', async () => {
    const session = aSession(owner, { confirmedAt: '2020-01-01T00:00:00.000Z' })
    await store.openSession(session, anAudit('user.signed-in'))
    const who = {
      ...by(owner.organizationId),
      session: { id: session.id, role: 'READ_ONLY', at } as const,
    }
    const confirmed = { id: session.id, confirmedAt: at }
    expect(await change(owner, enrolled, { confirmed }, who)).toBe(true)
    expect((await store.findSession(session))?.session.confirmedAt).toBe(at)
    const renewed = aSession(owner, { confirmedAt: '2020-01-01T00:00:00.000Z' })
    await store.openSession(renewed, anAudit('user.signed-in'))
    const writer = { ...who, session: { ...who.session, id: renewed.id } }
    const id = randomUUID()
    expect(await change(owner, enrolled, { confirmed: { id, confirmedAt: at } }, writer)).toBe(true)
    expect(await store.findSession(renewed)).toBeUndefined()
    expect((await store.findSession({ ...renewed, id }))?.session.confirmedAt).toBe(at)
    await change(owner, enrolled, { endsSessions: true })
    expect(await store.findSession(session)).toBeUndefined()
    const late = change(owner, noFactors, {}, who)
    await expect(late).rejects.toMatchObject({ code: 'SESSION_INVALID' })
  })

  it('a missing required second factor is reported from the next request on', async () => {
    const session = aSession(owner)
    await store.openSession(session, anAudit('user.signed-in'))
    const isMissing = async () => (await store.findSession(session))?.isFactorMissing
    const require = (isRequired: boolean) =>
      store.requireSecondFactor(by(owner.organizationId), isRequired, anAudit('rule'))
    expect([await isMissing(), await isRequired()]).toEqual([false, false])
    await require(true)
    await require(true)
    expect([await isMissing(), await isRequired()]).toEqual([true, true])
    expect((await listActions(owner)).filter((one) => one === 'rule')).toHaveLength(1)
    await change(owner, enrolled)
    expect(await isMissing()).toBe(false)
    await change(owner, noFactors)
    expect(await isMissing()).toBe(true)
    await require(false)
    expect([await isMissing(), await isRequired()]).toEqual([false, false])
  })
  const isRequired = () => store.isSecondFactorRequired(owner.organizationId)

  it('find their user by id', async () => {
    expect(await store.findUserById(owner.id)).toMatchObject({ email: owner.email })
    expect(await store.findUserById(randomUUID())).toBeUndefined()
  })
}
