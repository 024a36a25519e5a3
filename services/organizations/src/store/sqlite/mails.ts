import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { isLink, noHorizon, type DueMail, type Mail } from '../../mail/mail'
import { answer } from './answer'
import type { OrganizationStore } from '../store'

type Mails = Pick<
  OrganizationStore,
  'addMail' | 'takeMails' | 'oldestMail' | 'finishMail' | 'postponeMail'
>

interface DueRow {
  id: string
  content: string
  attempts: number
}

export function mailWriter(database: Sqlite): (mail: Mail, organizationId: string) => void {
  const insert = database.prepare(
    `INSERT INTO mail (id, content, next_attempt_at, organization_id, turn)
     VALUES (?, ?, ?, ?, ?)`,
  )
  const last = database.prepare(
    'SELECT ifnull(max(turn), 0) AS turn FROM mail WHERE organization_id = ?',
  )
  return (mail, organizationId) => {
    const content = [mail.id, JSON.stringify(mail), mail.createdAt]
    if (isLink(mail)) insert.run([...content, '', 0])
    else {
      const { turn } = last.get([organizationId]) as { turn: number }
      insert.run([...content, organizationId, turn + 1])
    }
  }
}

export function mails(database: Sqlite): Mails {
  const insertMail = mailWriter(database)
  const due = database.prepare(
    `SELECT id, content, attempts FROM mail
     WHERE next_attempt_at <= ? OR next_attempt_at > ?
     ORDER BY turn, next_attempt_at LIMIT ?`,
  )
  const claim = database.prepare('UPDATE mail SET next_attempt_at = ? WHERE id = ?')
  const postpone = database.prepare(
    'UPDATE mail SET attempts = ?, next_attempt_at = ? WHERE id = ?',
  )
  // Their ids begin with their time.
  const oldest = database.prepare('SELECT content FROM mail ORDER BY id LIMIT 1')
  const remove = database.prepare('DELETE FROM mail WHERE id = ?')
  return {
    addMail: (mail) =>
      answer(() => {
        insertMail(mail, '')
      }),
    takeMails: ({ now, horizon = noHorizon, leaseUntil, count }) =>
      answer(() =>
        inTransaction(database, () => {
          const rows = due.all([now, horizon, count]) as DueRow[]
          return rows.map(({ id, content, attempts }): DueMail => {
            claim.run([leaseUntil, id])
            return { ...(JSON.parse(content) as Mail), attempts }
          })
        }),
      ),
    oldestMail: () =>
      answer(() => {
        const row = oldest.get() as { content: string } | undefined
        return row && (JSON.parse(row.content) as Mail).createdAt
      }),
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
