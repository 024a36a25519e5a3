import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import type { DueMail, Mail } from '../../mail/mail'
import { answer } from './answer'
import type { OrganizationStore } from '../store'

type Mails = Pick<OrganizationStore, 'addMail' | 'takeMails' | 'finishMail' | 'postponeMail'>

export function mailWriter(database: Sqlite): (mail: Mail) => void {
  const insert = database.prepare(
    'INSERT INTO mail (id, content, next_attempt_at) VALUES (?, ?, ?)',
  )
  return (mail) => {
    insert.run([mail.id, JSON.stringify(mail), mail.createdAt])
  }
}

export function mails(database: Sqlite): Mails {
  const insertMail = mailWriter(database)
  const due = database.prepare(
    `SELECT id, content, attempts FROM mail WHERE next_attempt_at <= ?
     ORDER BY next_attempt_at LIMIT ?`,
  )
  const claim = database.prepare('UPDATE mail SET next_attempt_at = ? WHERE id = ?')
  const postpone = database.prepare(
    'UPDATE mail SET attempts = ?, next_attempt_at = ? WHERE id = ?',
  )
  const remove = database.prepare('DELETE FROM mail WHERE id = ?')
  return {
    addMail: (mail) =>
      answer(() => {
        insertMail(mail)
      }),
    takeMails: ({ now, leaseUntil, count }) =>
      answer(() =>
        inTransaction(database, () => {
          const rows = due.all([now, count]) as { id: string; content: string; attempts: number }[]
          return rows.map(({ id, content, attempts }): DueMail => {
            claim.run([leaseUntil, id])
            return { ...(JSON.parse(content) as Mail), attempts }
          })
        }),
      ),
    finishMail: (id) =>
      answer(() => {
        remove.run([id])
      }),
    postponeMail: (id, { attempts, nextAttemptAt }) =>
      answer(() => {
        postpone.run([attempts, nextAttemptAt, id])
      }),
  }
}
