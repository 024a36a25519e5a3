/** What an adapter's test opens for the contract, and records to put into it. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Role } from '@einvoicing/domain/role'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { mentionsNamed } from '../legal-mentions'
import type { ApiKeyHolder, NewApiKey } from '../store/api-key-records'
import type { Invitation, NewOrganization, OrganizationStore, Session, User, Writer } from '../store/store'

export interface StoreUnderTest {
  store: OrganizationStore
  /** Closes, and opens again on the same data. */
  reopen(): Promise<OrganizationStore>
  /** Opens another on the same data, as another process has it; closed by `remove`. */
  openAnother(): Promise<OrganizationStore>
  remove(): Promise<void>
}

/** Of one key alone. */
export async function findHolder(
  store: OrganizationStore,
  digests: readonly Buffer[],
): Promise<ApiKeyHolder | undefined> {
  const [holder] = await store.findHolders([digests])
  return holder
}

export const at = '2026-05-03T10:00:00.000Z'

export function listKeys(store: OrganizationStore, organizationId: string): Promise<ApiKey[]> {
  return store.listApiKeys(organizationId, { now: at, max: 1_000 })
}

export async function countUnrevoked(
  store: OrganizationStore,
  organizationId: string,
): Promise<number> {
  const keys = await listKeys(store, organizationId)
  return keys.filter(({ revokedAt }) => revokedAt === undefined).length
}

export function anAudit(action: string): AuditEntry {
  return { at, actor: 'user:a@example.com', action, detail: `detail of ${action}` }
}

/** The operator, who needs no session. */
export function by(organizationId: string): Writer {
  return { organizationId, actor: 'operator' }
}

export function aSession(
  { id: userId, organizationId, passwordVersion }: User,
  fields: Partial<Session> = {},
): Session {
  return {
    id: randomUUID(),
    organizationId,
    userId,
    passwordVersion,
    network: '192.0.2.1',
    device: 'Browser',
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    expiresAt: '2099-01-01T00:00:00.000Z',
    ...fields,
  }
}

export function anOrganization(email = `${randomUUID()}@example.com`): NewOrganization {
  const id = randomUUID()
  const user = aUser(id, { email, role: 'OWNER' })
  return { id, mentions: mentionsNamed(`Société ${id}`), createdAt: at, user }
}

export function aUser(organizationId: string, fields: Partial<User> = {}): User {
  return {
    id: randomUUID(),
    organizationId,
    email: `${randomUUID()}@example.com`,
    passwordHash: '$argon2id$…',
    passwordVersion: 0,
    role: 'MEMBER',
    createdAt: at,
    knownNetworks: [],
    knownDevices: [],
    ...fields,
  }
}

export function anInvitation(
  organizationId: string,
  fields: Partial<Invitation> = {},
): Invitation {
  return {
    id: randomUUID(),
    organizationId,
    email: `${randomUUID()}@example.com`,
    role: 'MEMBER',
    digest: randomBytes(32),
    createdAt: at,
    expiresAt: '2026-05-10T10:00:00.000Z',
    ...fields,
  }
}

export function aKey(organizationId: string, fields: Partial<NewApiKey> = {}): NewApiKey {
  return {
    id: randomUUID(),
    organizationId,
    name: 'CI',
    digest: randomBytes(32),
    pepper: 'none',
    last4: 'abcd',
    createdAt: at,
    scopes: [],
    allowedNetworks: [],
    ...fields,
  }
}

/** Invited, and joined with a session. */
export async function joinAs(
  store: OrganizationStore,
  organizationId: string,
  role: Role,
): Promise<{ user: User; session: Session }> {
  const invitation = anInvitation(organizationId, { role })
  await store.invite(by(organizationId), { invitation, max: 200 }, anAudit('member.invited'))
  const user = aUser(organizationId, { email: invitation.email, role })
  const session = aSession(user)
  const joining = () => ({ user, session, audit: anAudit('member.joined') })
  await store.acceptInvitation(invitation.digest, joining)
  return { user, session }
}
