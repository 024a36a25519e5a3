import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { answer } from './answer'
import { writerCheck } from './sessions'
import { inLastUsed, toUser, userColumns, type UserRow } from './users'
import {
  isConfirmedByAll,
  isValidFor,
  type EmailChange,
  type EmailChanges,
  type Side,
} from '../email-changes'
import type { AuditRecord } from '../store'

type AddAudit = (organizationId: string, record: AuditRecord) => void

export function emailChanges(database: Sqlite, addAudit: AddAudit): EmailChanges {
  const reads = changeReads(database)
  const { find, findLink } = reads
  const check = writerCheck(database)
  const removeChange = database.prepare('DELETE FROM email_change WHERE user_id = ?')
  const insertChange = database.prepare('INSERT INTO email_change VALUES (?, ?, ?)')
  const insertLink = database.prepare('INSERT INTO email_change_link VALUES (?, ?, ?)')
  return {
    addEmailChange: (by, change, audit) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          if (!isValidFor(change, reads.findUser(change.userId))) return false
          removeChange.run([change.userId])
          insertChange.run([change.userId, change.id, JSON.stringify(change)])
          addAudit(by.organizationId, audit)
          return true
        }),
      ),
    findEmailChange: (userId) => answer(() => find(userId)),
    cancelEmailChange: (by, userId, audit) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          if (removeChange.run([userId]).changes === 0) return false
          addAudit(by.organizationId, audit)
          return true
        }),
      ),
    addEmailChangeLink: ({ digest, userId, changeId, side }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const change = find(userId)
          if (change?.id !== changeId) return false
          insertLink.run([digest, changeId, side])
          addAudit(change.organizationId, audit)
          return true
        }),
      ),
    findEmailChangeLink: (digest) => answer(() => findLink(digest)),
    ...changeWrites(database, addAudit, reads),
  }
}

function changeReads(database: Sqlite) {
  const byUser = database.prepare('SELECT content FROM email_change WHERE user_id = ?')
  const byDigest = database.prepare(
    `SELECT content, side FROM email_change_link JOIN email_change ON email_change.id = change_id
     WHERE digest = ?`,
  )
  const userById = database.prepare(`SELECT ${userColumns} ${inLastUsed} WHERE user.id = ?`)
  const findUser = (userId: string) => {
    const row = userById.get([userId]) as UserRow | undefined
    return row && toUser(row)
  }
  const find = (userId: string): EmailChange | undefined => {
    const row = byUser.get([userId]) as { content: string } | undefined
    const change = row && (JSON.parse(row.content) as EmailChange)
    return change && isValidFor(change, findUser(userId)) ? change : undefined
  }
  const findLink = (digest: Buffer) => {
    const row = byDigest.get([digest]) as { content: string; side: Side } | undefined
    if (!row) return undefined
    const change = JSON.parse(row.content) as EmailChange
    const user = findUser(change.userId)
    return user && isValidFor(change, user) ? { change, side: row.side, user } : undefined
  }
  return { find, findLink, findUser }
}

function changeWrites(
  database: Sqlite,
  addAudit: AddAudit,
  { findLink, findUser }: ReturnType<typeof changeReads>,
): Pick<EmailChanges, 'confirmEmailChange' | 'changeEmail'> {
  const check = writerCheck(database)
  const write = database.prepare('UPDATE email_change SET content = ? WHERE user_id = ?')
  const endLinks = database.prepare(
    'DELETE FROM email_change_link WHERE change_id = ? AND side = ?',
  )
  const change = emailWriter(database, addAudit)
  return {
    confirmEmailChange: (digest, { confirmed, changed }) =>
      answer(() =>
        inTransaction(database, () => {
          const found = findLink(digest)
          if (!found || found.change.expiresAt <= confirmed.at) return undefined
          const { change: pending, side } = found
          if (isConfirmedByAll(pending, side)) {
            if (!change(pending, changed)) return 'email-taken'
            return 'changed'
          }
          endLinks.run([pending.id, side])
          const after = { ...pending, confirmed: [side] }
          write.run([JSON.stringify(after), pending.userId])
          addAudit(pending.organizationId, confirmed)
          return 'confirmed'
        }),
      ),
    changeEmail: (by, of, audit) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          if (findUser(of.userId)?.email !== of.from) return 'gone'
          return change(of, audit) ? 'changed' : 'email-taken'
        }),
      ),
  }
}

/** False when another user has the new email. */
function emailWriter(database: Sqlite, addAudit: AddAudit) {
  const isTaken = database.prepare('SELECT 1 FROM user WHERE email = ?')
  const update = database.prepare('UPDATE user SET email = ?, unverified_since = NULL WHERE id = ?')
  const ends = ['email_change', 'email_link', 'password_reset'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE user_id = ?`),
  )
  const organizations = database.prepare(
    'SELECT organization_id AS id FROM membership WHERE user_id = ? ORDER BY created_at',
  )
  return ({ userId, to }: { userId: string; to: string }, audit: AuditRecord): boolean => {
    if (isTaken.get([to])) return false
    update.run([to, userId])
    for (const end of ends) end.run([userId])
    const { notices, ...entry } = audit
    const ids = (organizations.all([userId]) as { id: string }[]).map(({ id }) => id)
    ids.forEach((id, index) => addAudit(id, index === 0 ? { ...entry, notices } : entry))
    return true
  }
}
