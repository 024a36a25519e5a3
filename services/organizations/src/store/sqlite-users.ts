/** The users of organizations in SQLite. */

import { inTransaction, type Sqlite } from '@einvoicing/kernel/sqlite'
import type { AuditEntry, LegalMentions } from '@einvoicing/proto/invoice'
import { answer } from './sqlite-answer'
import type { OrganizationStore, User } from './store'

const columns = `user.id, organization_id AS organizationId, email, password_hash AS passwordHash,
  password_version AS passwordVersion, role, user.created_at AS createdAt`

export type InsertUser = (user: User) => void

/** Within the transaction of whoever calls; throws where the email is taken. */
export function userWriter(database: Sqlite): InsertUser {
  const insert = database.prepare(
    `INSERT INTO user
       (id, organization_id, email, password_hash, password_version, role, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ id, organizationId, email, passwordHash, passwordVersion, role, createdAt }) => {
    insert.run([id, organizationId, email, passwordHash, passwordVersion, role, createdAt])
  }
}

type Users = Pick<OrganizationStore, 'findUser' | 'findMember' | 'changePassword'>

export function users(
  database: Sqlite,
  addAudit: (organizationId: string, entry: AuditEntry) => void,
): Users {
  const byEmail = database.prepare(`SELECT ${columns} FROM user WHERE email = ?`)
  const memberById = database.prepare(
    `SELECT ${columns}, mentions
     FROM user JOIN organization ON organization.id = organization_id
     WHERE user.id = ? AND organization_id = ?`,
  )
  const updatePassword = database.prepare(
    `UPDATE user SET password_hash = ?, password_version = password_version + 1
     WHERE id = ? AND organization_id = ? AND password_version = ?`,
  )
  return {
    changePassword: ({ id, organizationId, passwordVersion }, passwordHash, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const seen = [id, organizationId, passwordVersion]
          if (updatePassword.run([passwordHash, ...seen]).changes === 0) return false
          addAudit(organizationId, audit)
          return true
        }),
      ),
    findUser: (email) =>
      answer(() => {
        const row = byEmail.get([email]) as User | undefined
        return row && toUser(row)
      }),
    findMember: (organizationId, userId) =>
      answer(() => {
        const row = memberById.get([userId, organizationId]) as MemberRow | undefined
        return row && { user: toUser(row), mentions: JSON.parse(row.mentions) as LegalMentions }
      }),
  }
}

type MemberRow = User & { mentions: string }

/** libsql adds a field of its own to what `get` answers. */
export function toUser(row: User): User {
  const { id, organizationId, email, passwordHash, passwordVersion, role, createdAt } = row
  return { id, organizationId, email, passwordHash, passwordVersion, role, createdAt }
}
