import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { answer } from './answer'
import type { PasswordReset } from '../links'
import type { AuditRecord, OrganizationStore } from '../store'

type PasswordResets = Pick<
  OrganizationStore,
  'addPasswordReset' | 'findPasswordReset' | 'usePasswordReset'
>

type Row = Omit<PasswordReset, 'digest'> & { email: string }

export function passwordResets(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): PasswordResets {
  const forgetExpired = database.prepare('DELETE FROM password_reset WHERE expires_at <= ?')
  const insert = database.prepare('INSERT INTO password_reset VALUES (?, ?, ?, ?, ?)')
  const byDigest = database.prepare(
    `SELECT password_reset.organization_id AS organizationId, user_id AS userId,
       password_reset.password_version AS passwordVersion, expires_at AS expiresAt, email
     FROM password_reset JOIN user ON user.id = user_id
     WHERE digest = ? AND user.password_version = password_reset.password_version`,
  )
  const update = database.prepare(
    `UPDATE user SET password_hash = ?, password_version = password_version + 1,
       unverified_since = NULL
     WHERE id = ?`,
  )
  const endSessions = database.prepare('DELETE FROM session WHERE user_id = ?')
  const endResets = database.prepare('DELETE FROM password_reset WHERE user_id = ?')
  const find = (digest: Buffer) => {
    const row = byDigest.get([digest]) as Row | undefined
    if (!row) return undefined
    const { organizationId, userId, passwordVersion, expiresAt, email } = row
    return { digest, organizationId, userId, passwordVersion, expiresAt, email }
  }
  return {
    addPasswordReset: (reset, audit) =>
      answer(() => {
        const { digest, organizationId, userId, passwordVersion, expiresAt } = reset
        inTransaction(database, () => {
          forgetExpired.run([audit.at])
          insert.run([digest, organizationId, userId, passwordVersion, expiresAt])
          addAudit(organizationId, audit)
        })
      }),
    findPasswordReset: (digest) => answer(() => find(digest)),
    usePasswordReset: (digest, { passwordHash }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const reset = find(digest)
          if (!reset || reset.expiresAt <= audit.at) return false
          update.run([passwordHash, reset.userId])
          endSessions.run([reset.userId])
          endResets.run([reset.userId])
          addAudit(reset.organizationId, audit)
          return true
        }),
      ),
  }
}
