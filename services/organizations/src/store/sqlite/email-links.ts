import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { answer } from './answer'
import { inLastUsed, toUser, userColumns, type UserRow } from './users'
import type { EmailLink } from '../links'
import type { AuditRecord, OrganizationStore } from '../store'

type EmailLinks = Pick<OrganizationStore, 'addEmailLink' | 'findEmailLink' | 'verifyEmail'>

type Row = Omit<EmailLink, 'digest'>

export function emailLinks(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): EmailLinks {
  const forgetExpired = database.prepare('DELETE FROM email_link WHERE expires_at <= ?')
  const insert = database.prepare('INSERT INTO email_link VALUES (?, ?, ?, ?, ?)')
  const byDigest = database.prepare(
    `SELECT organization_id AS organizationId, user_id AS userId, email, expires_at AS expiresAt
     FROM email_link WHERE digest = ?`,
  )
  const userById = database.prepare(
    `SELECT ${userColumns} ${inLastUsed}
     WHERE user.id = ? AND email = ? AND unverified_since IS NOT NULL`,
  )
  const verify = database.prepare('UPDATE user SET unverified_since = NULL WHERE id = ?')
  const endLinks = database.prepare('DELETE FROM email_link WHERE user_id = ?')
  const find = (digest: Buffer) => {
    const row = byDigest.get([digest]) as Row | undefined
    const user = row && (userById.get([row.userId, row.email]) as UserRow | undefined)
    if (!user) return undefined
    const { organizationId, userId, email, expiresAt } = row
    return { link: { digest, organizationId, userId, email, expiresAt }, user: toUser(user) }
  }
  return {
    addEmailLink: ({ digest, organizationId, userId, email, expiresAt }, audit) =>
      answer(() => {
        inTransaction(database, () => {
          forgetExpired.run([audit.at])
          insert.run([digest, organizationId, userId, email, expiresAt])
          addAudit(organizationId, audit)
        })
      }),
    findEmailLink: (digest) => answer(() => find(digest)),
    verifyEmail: (digest, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const found = find(digest)
          if (!found || found.link.expiresAt <= audit.at) return false
          const { userId, organizationId } = found.link
          verify.run([userId])
          endLinks.run([userId])
          addAudit(organizationId, audit)
          return true
        }),
      ),
  }
}
