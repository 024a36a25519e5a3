import { inTransaction, isUniqueViolation, type Sqlite } from '@einvoicing/stores/sqlite'
import type { Member } from '@einvoicing/proto/organizations'
import { deviceKind } from '../../session'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import { userWriter } from './users'
import type { AuditRecord, Invitation, OrganizationStore } from '../store'

type Members = Pick<OrganizationStore, 'listMembers' | 'changeRole' | 'removeMember'>
type Invitations = Pick<OrganizationStore, 'invite' | 'findInvitation' | 'acceptInvitation'>

type AddAudit = (organizationId: string, record: AuditRecord) => void

type MemberRow = Omit<Member, 'invitationExpiresAt'> & { invitationExpiresAt: string | null }

const everyone = `
  SELECT id, email, role, created_at AS createdAt, NULL AS invitationExpiresAt
  FROM user WHERE organization_id = ?
  UNION ALL
  SELECT id, email, role, created_at, expires_at FROM invitation WHERE organization_id = ?`

export function members(database: Sqlite, addAudit: AddAudit): Members {
  const check = writerCheck(database)
  const list = database.prepare(
    `SELECT * FROM (${everyone}) ORDER BY invitationExpiresAt IS NOT NULL, createdAt, id`,
  )
  const byId = database.prepare(`SELECT * FROM (${everyone}) WHERE id = ?`)
  const owners = database.prepare(
    `SELECT count(*) AS owners FROM user WHERE organization_id = ? AND role = 'OWNER'`,
  )
  const updates = ['user', 'invitation'].map((table) =>
    database.prepare(`UPDATE ${table} SET role = ? WHERE id = ?`),
  )
  const deletes = ['user', 'invitation'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id = ?`),
  )
  const find = (organizationId: string, id: string): Member | undefined => {
    const row = byId.get([organizationId, organizationId, id]) as MemberRow | undefined
    return row && toMember(row)
  }
  const isLastOwner = (organizationId: string, { role, invitationExpiresAt }: Member) =>
    role === 'OWNER' &&
    invitationExpiresAt === undefined &&
    (owners.get([organizationId]) as { owners: number }).owners === 1

  return {
    listMembers: (organizationId) =>
      answer(() => (list.all([organizationId, organizationId]) as MemberRow[]).map(toMember)),
    changeRole: (by, { id, role }, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const before = find(organizationId, id)
          if (!before || before.role === role) return before
          if (isLastOwner(organizationId, before)) return 'last-owner'
          for (const update of updates) update.run([role, id])
          addAudit(organizationId, describe(before))
          return { ...before, role }
        }),
      ),
    removeMember: (by, id, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const before = find(organizationId, id)
          if (!before) return undefined
          if (isLastOwner(organizationId, before)) return 'last-owner'
          for (const remove of deletes) remove.run([id])
          addAudit(organizationId, describe(before))
          return before
        }),
      ),
  }
}

const columns = `id, organization_id AS organizationId, email, role, digest,
  created_at AS createdAt, expires_at AS expiresAt`

export function invitations(database: Sqlite, addAudit: AddAudit): Invitations {
  const taken = database.prepare('SELECT 1 FROM user WHERE email = ?')
  const count = database.prepare(`SELECT count(*) AS people FROM (${everyone})`)
  const ofEmail = database.prepare(
    `SELECT ${columns} FROM invitation WHERE organization_id = ? AND email = ?`,
  )
  const byDigest = database.prepare(`SELECT ${columns} FROM invitation WHERE digest = ?`)
  const insert = database.prepare('INSERT INTO invitation VALUES (?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM invitation WHERE id = ?')
  const insertUser = userWriter(database)
  const insertSession = sessionWriter(database)
  const check = writerCheck(database)

  const find = (digest: Buffer): Invitation | undefined => {
    const row = byDigest.get([digest]) as Invitation | undefined
    return row && toInvitation(row)
  }
  return {
    invite: (by, { invitation, max }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId, email } = invitation
          check(by)
          if (taken.get([email])) return 'email-taken'
          const earlier = ofEmail.get([organizationId, email]) as Invitation | undefined
          const { people } = count.get([organizationId, organizationId]) as { people: number }
          if (!earlier && people >= max) return 'too-many'
          if (earlier) remove.run([earlier.id])
          const { id, createdAt } = earlier ?? invitation
          const { role, digest, expiresAt } = invitation
          insert.run([id, organizationId, email, role, digest, createdAt, expiresAt])
          addAudit(organizationId, audit)
          return { ...invitation, id, createdAt }
        }),
      ),
    findInvitation: (digest) => answer(() => find(digest)),
    acceptInvitation: (digest, join) =>
      answer(() =>
        unlessTaken(() =>
          inTransaction(database, () => {
            const invitation = find(digest)
            if (!invitation) return undefined
            const { user, session, audit } = join(invitation)
            remove.run([invitation.id])
            insertUser(user)
            insertSession(session)
            addAudit(invitation.organizationId, audit)
            return {
              ...user,
              knownNetworks: [session.network],
              knownDevices: [deviceKind(session.device)],
            }
          }),
        ),
      ),
  }
}

function unlessTaken<T>(work: () => T): T | 'email-taken' {
  try {
    return work()
  } catch (error) {
    if (isUniqueViolation(error)) return 'email-taken'
    throw error
  }
}

function toMember({ id, email, role, createdAt, invitationExpiresAt }: MemberRow): Member {
  return {
    id,
    email,
    role,
    createdAt,
    ...(invitationExpiresAt !== null && { invitationExpiresAt }),
  }
}

/** libsql adds a field of its own to the result of `get`. */
function toInvitation(row: Invitation): Invitation {
  const { id, organizationId, email, role, digest, createdAt, expiresAt } = row
  return { id, organizationId, email, role, digest: Buffer.from(digest), createdAt, expiresAt }
}
