import { randomBytes, randomUUID } from 'node:crypto'
import {
  aKey,
  anAudit,
  anOrganization,
  aSession,
  at,
  by,
  countUnrevoked,
  joinAs,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { OrganizationStore, Session, User, Writer } from './store'

/** Ends a session and is answered, whatever the session writes meanwhile. */
type End = (store: OrganizationStore, user: User, others: Others) => Promise<unknown>

interface Others {
  session: Session
  /** Of an owner, in a session of their own. */
  owner: Writer
}

const ends: Record<string, End> = {
  removed: (store, { id }, { owner }) =>
    store.removeMember(owner, { id }, () => anAudit('member.removed')),
  demoted: (store, { id }, { owner }) =>
    store.changeRole(owner, { id, role: 'MEMBER' }, () => anAudit('member.role-changed')),
  'removed by the operator': (store, { organizationId, id }) =>
    store.removeMember(by(organizationId), { id }, () => anAudit('member.removed')),
  'demoted by the operator': (store, { organizationId, id }) =>
    store.changeRole(by(organizationId), { id, role: 'MEMBER' }, () =>
      anAudit('member.role-changed'),
    ),
  'signed out': (store, { organizationId }, { session }) =>
    store.endSession(organizationId, session.id, anAudit('user.signed-out')),
  'signed out by an owner': (store, { id: userId }, { owner }) =>
    store.endSessions(owner, { userId }, anAudit('session.ended')),
  'given a password by a link': async (store, { organizationId, id: userId, passwordVersion }) => {
    const digest = randomBytes(32)
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const reset = { digest, organizationId, userId, passwordVersion, expiresAt }
    await store.addPasswordReset(reset, anAudit('password.reset-requested'))
    return store.usePasswordReset(digest, { passwordHash: 'new' }, anAudit('password.reset'))
  },
  'given a password in another session': (store, user) =>
    store.changePassword(
      by(user.organizationId),
      { seen: user, passwordHash: 'new', session: aSession(user) },
      anAudit('password.changed'),
    ),
}

export function endedWritersContract(opened: () => StoreUnderTest): void {
  describe('a session that writes without a pause', () => {
    it.each(Object.entries(ends))('writes nothing once its user is %s', async (_, end) => {
      const { store, openAnother } = opened()
      const other = await openAnother()
      const { id: organizationId, user: first } = await addOrganization(store)
      const own = aSession(first)
      await store.openSession(own, anAudit('user.signed-in'))
      const owner = writer(own)
      for (const round of [1, 2, 3]) {
        const { user, session } = await joinAs(store, organizationId, 'OWNER')
        const who = writer(session)
        let isEnded = false
        const late: unknown[] = []
        const writeUntilEnded = async (write: () => Promise<unknown>) => {
          for (;;) {
            const began = isEnded
            const outcome = await readOutcome(write())
            if (began) late.push(outcome)
            if (began || isRefused(outcome)) return
          }
        }
        const addKey = () =>
          store.addApiKey(who, { key: aKey(organizationId), max: 1_000 }, anAudit('write'))
        const writing = Promise.all([
          writeUntilEnded(addKey),
          writeUntilEnded(addKey),
          writeUntilEnded(() => store.revokeApiKey(who, randomUUID(), anAudit('write'))),
        ])
        const ended = await end(other, user, { session, owner }).finally(() => (isEnded = true))
        expect([undefined, false, 0, 'last-owner']).not.toContain(ended)
        const live = await countUnrevoked(store, organizationId)
        await writing
        expect([round, late.filter((one) => !isRefused(one))]).toEqual([round, []])
        expect([round, await countUnrevoked(store, organizationId)]).toEqual([round, live])
      }
    })
  })
}

async function addOrganization(store: OrganizationStore) {
  const organization = anOrganization()
  await store.addOrganization(organization, anAudit('organization.created'))
  return organization
}

function writer({ organizationId, id }: Session) {
  return { ...by(organizationId), session: { id, role: 'OWNER', at } as const }
}

async function readOutcome(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    return (error as { code: string }).code
  }
}

function isRefused(outcome: unknown): boolean {
  return outcome === 'SESSION_INVALID' || outcome === 'FORBIDDEN'
}
