import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { isEnrolled, noFactors, type SecondFactors } from '../../second-factor/factors'
import { answer } from './answer'
import { sessionConfirmer, sessionWriter, writerCheck } from './sessions'
import type { AuditRecord, OrganizationStore, SecondFactorChange, Writer } from '../store'

type Factors = Pick<
  OrganizationStore,
  'findSecondFactors' | 'changeSecondFactors' | 'isSecondFactorRequired' | 'requireSecondFactor'
>

type AddAudit = (organizationId: string, record: AuditRecord) => void

export function secondFactors(database: Sqlite, addAudit: AddAudit): Factors {
  const check = writerCheck(database)
  const byUser = database.prepare('SELECT content FROM second_factor WHERE user_id = ?')
  const upsert = database.prepare(
    `INSERT INTO second_factor VALUES (:user, :content, :enrolled)
     ON CONFLICT (user_id) DO UPDATE SET content = :content, is_enrolled = :enrolled`,
  )
  const readVersion = database.prepare('SELECT password_version AS version FROM user WHERE id = ?')
  const isMember = database.prepare(
    'SELECT 1 FROM membership WHERE user_id = ? AND organization_id = ?',
  )
  const find = (userId: string): SecondFactors => {
    const row = byUser.get([userId]) as { content: string } | undefined
    return row ? (JSON.parse(row.content) as SecondFactors) : noFactors
  }
  const apply = changeWriter(database, addAudit)
  return {
    ...rules(database, addAudit),
    findSecondFactors: (userId) => answer(() => find(userId)),
    changeSecondFactors: (by, userId, change) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          const user = readVersion.get([userId]) as { version: number } | undefined
          if (!user) return false
          const changed = change(find(userId))
          if (!changed) return false
          const { session } = changed
          if (session) {
            if (session.passwordVersion !== user.version) return false
            if (!isMember.get([userId, session.organizationId])) return false
          }
          const { after } = changed
          const enrolled = isEnrolled(after) ? 1 : 0
          upsert.run({ user: userId, content: JSON.stringify(after), enrolled })
          apply(by, userId, changed)
          return true
        }),
      ),
  }
}

function changeWriter(database: Sqlite, addAudit: AddAudit) {
  const insertSession = sessionWriter(database)
  const confirm = sessionConfirmer(database)
  const endSessions = database.prepare('DELETE FROM session WHERE user_id = ?')
  return (by: Writer, userId: string, changed: SecondFactorChange): void => {
    if (changed.endsSessions) endSessions.run([userId])
    if (changed.session) insertSession(changed.session)
    if (changed.confirmed) confirm(by, changed.confirmed)
    for (const audit of changed.audits) addAudit(by.organizationId, audit)
  }
}

function rules(
  database: Sqlite,
  addAudit: AddAudit,
): Pick<Factors, 'isSecondFactorRequired' | 'requireSecondFactor'> {
  const check = writerCheck(database)
  const read = database.prepare('SELECT 1 FROM second_factor_rule WHERE organization_id = ?')
  const set = database.prepare('INSERT OR IGNORE INTO second_factor_rule VALUES (?)')
  const unset = database.prepare('DELETE FROM second_factor_rule WHERE organization_id = ?')
  return {
    isSecondFactorRequired: (organizationId) =>
      answer(() => read.get([organizationId]) !== undefined),
    requireSecondFactor: (by, isRequired, audit) =>
      answer(() => {
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const { changes } = (isRequired ? set : unset).run([organizationId])
          if (changes > 0) addAudit(organizationId, audit)
        })
      }),
  }
}
