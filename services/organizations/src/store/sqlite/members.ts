import { inTransaction, isUniqueViolation, type Sqlite } from '@einvoicing/stores/sqlite'
import type { Member } from '@einvoicing/proto/organizations'
import { withClient } from '../../session'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import { membershipWriter, userWriter } from './users'
import type { AuditRecord, Invitation, Joining, ListedMember, OrganizationStore } from '../store'
import { unlessTaken } from '../unless-taken'

type Members = Pick<OrganizationStore, 'listMembers' | 'changeRole' | 'removeMember'>
type Invitations = Pick<OrganizationStore, 'invite' | 'findInvitation' | 'acceptInvitation'>

type AddAudit = (organizationId: string, record: AuditRecord) => void

interface MemberRow extends Omit<Member, 'invitationExpiresAt'> {
  invitationExpiresAt: string | null
  isUnverified: number
}

const everyone = `
  SELECT user.id, email, role, membership.created_at AS createdAt, NULL AS invitationExpiresAt,
    unverified_since IS NOT NULL AS isUnverified
  FROM membership JOIN user ON user.id = user_id WHERE membership.organization_id = ?
  UNION ALL
  SELECT id, email, role, created_at, expires_at, 0 FROM invitation WHERE organization_id = ?`

export function members(database: Sqlite, addAudit: AddAudit): Members {
  const check = writerCheck(database)
  const list = database.prepare(
    `SELECT * FROM (${everyone}) ORDER BY invitationExpiresAt IS NOT NULL, createdAt, id`,
  )
  const byId = database.prepare(`SELECT * FROM (${everyone}) WHERE id = ?`)
  const owners = database.prepare(
    `SELECT count(*) AS owners FROM membership WHERE organization_id = ? AND role = 'OWNER'`,
  )
  const updates = [
    database.prepare('UPDATE membership SET role = ? WHERE organization_id = ? AND user_id = ?'),
    database.prepare('UPDATE invitation SET role = ? WHERE organization_id = ? AND id = ?'),
  ]
  const withdraw = database.prepare('DELETE FROM invitation WHERE organization_id = ? AND id = ?')
  const endMembership = membershipEnd(database)
  const insertSession = sessionWriter(database)
  const isMember = memberCheck(database)
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
          for (const update of updates) update.run([role, organizationId, id])
          addAudit(organizationId, describe(before))
          return { ...before, role }
        }),
      ),
    removeMember: (by, { id, opened }, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const before = find(organizationId, id)
          if (!before) return undefined
          if (isLastOwner(organizationId, before)) return 'last-owner'
          withdraw.run([organizationId, id])
          endMembership(organizationId, id)
          addAudit(organizationId, describe(before))
          if (opened && isMember.get([id, opened.session.organizationId])) {
            insertSession(opened.session)
            addAudit(opened.session.organizationId, opened.audit)
          }
          return before
        }),
      ),
  }
}

const memberCheck = (database: Sqlite) =>
  database.prepare('SELECT 1 FROM membership WHERE user_id = ? AND organization_id = ?')

/** Ends their sessions; with the last membership, deletes the account. */
function membershipEnd(database: Sqlite): (organizationId: string, userId: string) => void {
  const ends = ['session', 'membership'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE organization_id = ? AND user_id = ?`),
  )
  const endAccount = database.prepare(
    `DELETE FROM user WHERE id = :id
     AND NOT EXISTS (SELECT 1 FROM membership WHERE user_id = :id)`,
  )
  const useAnother = database.prepare(
    `UPDATE user SET organization_id = (
       SELECT organization_id FROM membership WHERE user_id = :id
       ORDER BY created_at, organization_id LIMIT 1)
     WHERE id = :id AND organization_id = :organization`,
  )
  return (organizationId, id) => {
    for (const end of ends) end.run([organizationId, id])
    endAccount.run({ id })
    useAnother.run({ id, organization: organizationId })
  }
}

const columns = `id, organization_id AS organizationId, email, role, digest,
  created_at AS createdAt, expires_at AS expiresAt`

export function invitations(database: Sqlite, addAudit: AddAudit): Invitations {
  const taken = database.prepare(
    `SELECT 1 FROM user JOIN membership ON membership.user_id = user.id
     WHERE email = ? AND membership.organization_id = ?`,
  )
  const count = database.prepare(`SELECT count(*) AS people FROM (${everyone})`)
  const ofEmail = database.prepare(
    `SELECT ${columns} FROM invitation WHERE organization_id = ? AND email = ?`,
  )
  const byDigest = database.prepare(`SELECT ${columns} FROM invitation WHERE digest = ?`)
  const insert = database.prepare('INSERT INTO invitation VALUES (?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM invitation WHERE id = ?')
  const insertUser = userWriter(database)
  const join = joinWriter(database)
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
          if (taken.get([email, organizationId])) return 'email-taken'
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
    acceptInvitation: (digest, describe) =>
      unlessTaken(
        isUniqueViolation,
        answer(() =>
          inTransaction(database, () => {
            const invitation = find(digest)
            if (!invitation) return undefined
            const joining = describe(invitation)
            const { user, session, audit, existing } = joining
            const problem = existing && join(joining, existing)
            if (problem) return problem
            if (!existing) insertUser(user)
            remove.run([invitation.id])
            insertSession(session)
            addAudit(invitation.organizationId, audit)
            const signedIn = existing?.signedIn
            if (signedIn) addAudit(signedIn.organizationId, signedIn.audit)
            return { ...user, ...withClient(user, session) }
          }),
        ),
      ),
  }
}

function joinWriter(database: Sqlite) {
  const check = writerCheck(database)
  const readVersion = database.prepare('SELECT password_version AS version FROM user WHERE id = ?')
  const count = database.prepare('SELECT count(*) AS count FROM membership WHERE user_id = ?')
  const isMember = memberCheck(database)
  const insert = membershipWriter(database)
  const endSession = database.prepare('DELETE FROM session WHERE id = ?')
  return (
    { user, session }: Joining,
    { max, by }: NonNullable<Joining['existing']>,
  ): 'gone' | 'too-many' | 'email-taken' | undefined => {
    if (by) check(by)
    const found = readVersion.get([user.id]) as { version: number } | undefined
    if (found?.version !== session.passwordVersion) return 'gone'
    if (isMember.get([user.id, user.organizationId])) return 'email-taken'
    if ((count.get([user.id]) as { count: number }).count >= max) return 'too-many'
    insert(user)
    if (by) endSession.run([by.session.id])
    return undefined
  }
}

function toMember(row: MemberRow): ListedMember {
  const { id, email, role, createdAt, invitationExpiresAt, isUnverified } = row
  return {
    id,
    email,
    role,
    createdAt,
    ...(invitationExpiresAt !== null && { invitationExpiresAt }),
    ...(isUnverified === 1 && { isUnverified: true }),
  }
}

/** libsql adds a field to the result of `get`. */
function toInvitation(row: Invitation): Invitation {
  const { id, organizationId, email, role, digest, createdAt, expiresAt } = row
  return { id, organizationId, email, role, digest: Buffer.from(digest), createdAt, expiresAt }
}
