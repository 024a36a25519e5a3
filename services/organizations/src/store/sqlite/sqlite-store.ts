/**
 * Writes are rare (a person in the dashboard) and synchronous; only `findHolders` is frequent, and
 * it is one look-up by index for each key.
 */

import {
  inTransaction,
  isUniqueViolation,
  openSqlite,
  type Sqlite,
} from '@einvoicing/stores/sqlite'
import type { AuditEntry, LegalMentions } from '@einvoicing/proto/invoice'
import { answer } from './answer'
import { apiKeys } from './api-keys'
import { attempts } from './attempts'
import { invitations, members } from './members'
import { mails } from './mails'
import { migrations } from './schema'
import { passwordResets } from './password-resets'
import { sessions, sessionWriter, sessionWrites, writerCheck } from './sessions'
import { users, userWriter } from './users'
import type { OrganizationStore } from '../store'

/** Throws `SettingsError` when the file cannot be used. */
export function openSqliteStore(file: string): OrganizationStore {
  const database = openSqlite(file, migrations)
  const addAudit = auditWriter(database)
  return {
    ...organizations(database, addAudit),
    ...users(database, addAudit),
    ...sessions(database, addAudit),
    ...sessionWrites(database, addAudit),
    ...members(database, addAudit),
    ...invitations(database, addAudit),
    ...apiKeys(database, addAudit),
    ...audits(database, addAudit),
    ...attempts(database),
    ...passwordResets(database, addAudit),
    ...mails(database),
    ...upkeep(database),
  }
}

type AddAudit = (organizationId: string, entry: AuditEntry) => void

function auditWriter(database: Sqlite): AddAudit {
  const insert = database.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)')
  return (organizationId, entry) => {
    insert.run([organizationId, JSON.stringify(entry)])
  }
}

type Organizations = Pick<
  OrganizationStore,
  'hasOrganizations' | 'addOrganization' | 'findMentions' | 'listByIce' | 'replaceMentions'
>

function organizations(database: Sqlite, addAudit: AddAudit): Organizations {
  const any = database.prepare('SELECT 1 FROM organization LIMIT 1')
  const insert = database.prepare('INSERT INTO organization VALUES (?, ?, ?)')
  const insertUser = userWriter(database)
  const insertSession = sessionWriter(database)
  const check = writerCheck(database)
  const mentionsById = database.prepare('SELECT mentions FROM organization WHERE id = ?')
  const byIce = database.prepare(
    "SELECT id FROM organization WHERE mentions ->> '$.ice' = ? ORDER BY id LIMIT ?",
  )
  const updateMentions = database.prepare('UPDATE organization SET mentions = ? WHERE id = ?')

  const findMentions = (organizationId: string): LegalMentions | undefined => {
    const row = mentionsById.get([organizationId]) as { mentions: string } | undefined
    return row && (JSON.parse(row.mentions) as LegalMentions)
  }
  return {
    hasOrganizations: () => answer(() => any.get([]) !== undefined),
    addOrganization: ({ id, mentions, createdAt, user, session }, audit) =>
      answer(() =>
        unlessTaken(database, () => {
          insert.run([id, JSON.stringify(mentions), createdAt])
          insertUser(user)
          if (session) insertSession(session)
          addAudit(id, audit)
        }),
      ),
    listByIce: (ice, count) =>
      answer(() => (byIce.all([ice, count]) as { id: string }[]).map(({ id }) => id)),
    findMentions: (organizationId) => answer(() => findMentions(organizationId)),
    replaceMentions: (by, mentions, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const before = findMentions(organizationId)
          if (!before) return false
          updateMentions.run([JSON.stringify(mentions), organizationId])
          addAudit(organizationId, describe(before))
          return true
        }),
      ),
  }
}

/** Only the email can conflict: ids and digests are 128 and 256 random bits. */
function unlessTaken(database: Sqlite, work: () => void): 'added' | 'email-taken' {
  try {
    inTransaction(database, work)
    return 'added'
  } catch (error) {
    if (isUniqueViolation(error)) return 'email-taken'
    throw error
  }
}

function audits(
  database: Sqlite,
  addAudit: AddAudit,
): Pick<OrganizationStore, 'addAudit' | 'listAudit'> {
  // A filter that is not set matches everything.
  const wanted = `organization_id = :organization
    AND (:action IS NULL OR entry ->> '$.action' = :action
      OR (:action LIKE '%.' AND substr(entry ->> '$.action', 1, length(:action)) = :action))
    AND (:actor IS NULL OR entry ->> '$.actor' = :actor
      OR (:actor LIKE '%:' AND substr(entry ->> '$.actor', 1, length(:actor)) = :actor))
    AND (:invoice IS NULL OR entry ->> '$.invoiceId' = :invoice)
    AND entry ->> '$.at' >= :from AND entry ->> '$.at' < :before`
  const page = database.prepare(
    `SELECT entry FROM audit WHERE ${wanted}
     ORDER BY entry ->> '$.at' DESC, position DESC LIMIT :size OFFSET :skipped`,
  )
  const count = database.prepare(`SELECT count(*) AS total FROM audit WHERE ${wanted}`)
  return {
    addAudit: (organizationId, entry) =>
      answer(() => {
        addAudit(organizationId, entry)
      }),
    listAudit: (organizationId, { page: index, size, ...filters }) =>
      answer(() => {
        const options = {
          organization: organizationId,
          action: filters.action ?? null,
          actor: filters.actor ?? null,
          invoice: filters.invoiceId ?? null,
          from: filters.atFrom ?? '',
          before: filters.atBefore ?? '~',
        }
        const rows = page.all({ ...options, size, skipped: index * size }) as { entry: string }[]
        const { total } = count.get(options) as { total: number }
        return { entries: rows.map(({ entry }) => JSON.parse(entry) as AuditEntry), total }
      }),
  }
}

function upkeep(
  database: Sqlite,
): Pick<OrganizationStore, 'remembered' | 'rememberFirst' | 'check' | 'close'> {
  const remember = database.prepare('INSERT OR IGNORE INTO remembered VALUES (?, ?)')
  const remembered = database.prepare('SELECT value FROM remembered WHERE name = ?')
  const check = database.prepare('SELECT 1 FROM organization LIMIT 1')
  const recall = (name: string) => (remembered.get([name]) as { value: string } | undefined)?.value
  return {
    remembered: (name) => answer(() => recall(name)),
    rememberFirst: (name, value) =>
      answer(() => {
        remember.run([name, value])
        return recall(name) ?? value
      }),
    check: () =>
      answer(() => {
        check.get([])
      }),
    close: () =>
      answer(() => {
        database.close()
      }),
  }
}
