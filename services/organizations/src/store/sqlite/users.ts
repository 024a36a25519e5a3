import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import type { AuditRecord, OrganizationStore, User } from '../store'

export const userColumns = `user.id, organization_id AS organizationId, email,
  password_hash AS passwordHash, user.password_version AS passwordVersion, role,
  user.created_at AS createdAt,
  known_networks AS knownNetworks, known_devices AS knownDevices,
  unverified_since AS unverifiedSince`

export type InsertUser = (user: User) => void

/** Within the caller's transaction; throws when the email is taken. */
export function userWriter(database: Sqlite): InsertUser {
  const insert = database.prepare(
    `INSERT INTO user
       (id, organization_id, email, password_hash, password_version, role, created_at,
        known_networks, known_devices, unverified_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ id, organizationId, email, passwordHash, passwordVersion, role, ...others }) => {
    const { createdAt, knownNetworks, knownDevices, unverifiedSince = null } = others
    const who = [id, organizationId, email, passwordHash, passwordVersion, role, createdAt]
    const known = [JSON.stringify(knownNetworks), JSON.stringify(knownDevices)]
    insert.run([...who, ...known, unverifiedSince])
  }
}

type Users = Pick<OrganizationStore, 'findUser' | 'findUserById' | 'findMember' | 'changePassword'>

export function users(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): Users {
  const check = writerCheck(database)
  const insertSession = sessionWriter(database)
  const byEmail = database.prepare(`SELECT ${userColumns} FROM user WHERE email = ?`)
  const byId = database.prepare(`SELECT ${userColumns} FROM user WHERE id = ?`)
  const memberById = database.prepare(
    `SELECT ${userColumns}, mentions
     FROM user JOIN organization ON organization.id = organization_id
     WHERE user.id = ? AND organization_id = ?`,
  )
  const updatePassword = database.prepare(
    `UPDATE user SET password_hash = ?, password_version = password_version + 1
     WHERE id = ? AND organization_id = ? AND password_version = ?`,
  )
  const endSessions = database.prepare('DELETE FROM session WHERE user_id = ?')
  return {
    changePassword: (by, { seen, passwordHash, session }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const of = [seen.id, organizationId, seen.passwordVersion]
          if (updatePassword.run([passwordHash, ...of]).changes === 0) return false
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

/** libsql adds a field of its own to the result of `get`. */
export function toUser(row: UserRow): User {
  const { id, organizationId, email, passwordHash, passwordVersion, role, createdAt } = row
  const knownNetworks = JSON.parse(row.knownNetworks) as string[]
  const knownDevices = JSON.parse(row.knownDevices) as string[]
  const who = { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
  const unverified = row.unverifiedSince !== null && { unverifiedSince: row.unverifiedSince }
  return { ...who, knownNetworks, knownDevices, ...unverified }
}
