import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import type { AuditRecord, OrganizationStore, User } from '../store'

export const userColumns = `user.id, membership.organization_id AS organizationId, email,
  password_hash AS passwordHash, user.password_version AS passwordVersion, role,
  membership.created_at AS createdAt, known_networks AS knownNetworks,
  known_devices AS knownDevices, unverified_since AS unverifiedSince`

export const inLastUsed = `FROM user JOIN membership ON membership.user_id = user.id
  AND membership.organization_id = user.organization_id`

export type InsertUser = (user: User) => void

/** Throws when the email is taken. */
export function userWriter(database: Sqlite): InsertUser {
  const insert = database.prepare(
    `INSERT INTO user
       (id, organization_id, email, password_hash, password_version, known_networks, known_devices,
        unverified_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertMembership = membershipWriter(database)
  return (user) => {
    const { id, organizationId, email, passwordHash, passwordVersion } = user
    const { knownNetworks, knownDevices, unverifiedSince = null } = user
    const who = [id, organizationId, email, passwordHash, passwordVersion]
    const known = [JSON.stringify(knownNetworks), JSON.stringify(knownDevices)]
    insert.run([...who, ...known, unverifiedSince])
    insertMembership(user)
  }
}

export function membershipWriter(database: Sqlite) {
  const insert = database.prepare('INSERT INTO membership VALUES (?, ?, ?, ?)')
  return ({
    id,
    organizationId,
    role,
    createdAt,
  }: Pick<User, 'id' | 'organizationId' | 'role' | 'createdAt'>): void => {
    insert.run([id, organizationId, role, createdAt])
  }
}

type Users = Pick<OrganizationStore, 'findUser' | 'findUserById' | 'findMember' | 'changePassword'>

export function users(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): Users {
  const check = writerCheck(database)
  const insertSession = sessionWriter(database)
  const byEmail = database.prepare(`SELECT ${userColumns} ${inLastUsed} WHERE email = ?`)
  const byId = database.prepare(`SELECT ${userColumns} ${inLastUsed} WHERE user.id = ?`)
  const memberById = database.prepare(
    `SELECT ${userColumns}, mentions
     FROM user JOIN membership ON membership.user_id = user.id
     JOIN organization ON organization.id = membership.organization_id
     WHERE user.id = ? AND membership.organization_id = ?`,
  )
  const updatePassword = database.prepare(
    `UPDATE user SET password_hash = :hash, password_version = password_version + 1
     WHERE id = :id AND password_version = :version AND EXISTS (
       SELECT 1 FROM membership WHERE user_id = :id AND organization_id = :organization)`,
  )
  const endSessions = database.prepare('DELETE FROM session WHERE user_id = ?')
  return {
    changePassword: (by, { seen, passwordHash, session }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const { id, passwordVersion: version } = seen
          const change = { hash: passwordHash, id, version, organization: organizationId }
          if (updatePassword.run(change).changes === 0) return false
          endSessions.run([seen.id])
          insertSession(session)
          addAudit(organizationId, audit)
          return true
        }),
      ),
    findUser: (email) =>
      answer(() => {
        const row = byEmail.get([email]) as UserRow | undefined
        return row && toUser(row)
      }),
    findUserById: (userId) =>
      answer(() => {
        const row = byId.get([userId]) as UserRow | undefined
        return row && toUser(row)
      }),
    findMember: (organizationId, userId) =>
      answer(() => {
        const row = memberById.get([userId, organizationId]) as MemberRow | undefined
        return row && { user: toUser(row), mentions: JSON.parse(row.mentions) as LegalMentions }
      }),
  }
}

export type UserRow = Omit<User, 'knownNetworks' | 'knownDevices' | 'unverifiedSince'> & {
  unverifiedSince: string | null
  knownNetworks: string
  knownDevices: string
}
type MemberRow = UserRow & { mentions: string }

/** libsql adds a field to the result of `get`. */
export function toUser(row: UserRow): User {
  const { id, organizationId, email, passwordHash, passwordVersion, role, createdAt } = row
  const knownNetworks = JSON.parse(row.knownNetworks) as string[]
  const knownDevices = JSON.parse(row.knownDevices) as string[]
  const who = { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
  const unverified = row.unverifiedSince !== null && { unverifiedSince: row.unverifiedSince }
  return { ...who, knownNetworks, knownDevices, ...unverified }
}
