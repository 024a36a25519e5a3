import { inTransaction, openSqlite, type Sqlite } from '@einvoicing/stores/sqlite'
import {
  auditChainReads,
  AuditWriter,
  checkpointStateWriter,
  readyEntry,
} from '@einvoicing/stores/sqlite-audit-chain'
import type { AuditChains } from '@einvoicing/domain/audit-chain'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import { answer } from './answer'
import { apiKeys } from './api-keys'
import { attempts } from './attempts'
import { emailChanges } from './email-changes'
import { emailLinks } from './email-links'
import { invitations, members } from './members'
import { mails, mailWriter } from './mails'
import { organizations } from './organizations'
import { memberships } from './memberships'
import { migrations } from './schema'
import { passwordResets } from './password-resets'
import { secondFactors } from './second-factors'
import { sessions, sessionWrites } from './sessions'
import { unverified } from './unverified'
import { users } from './users'
import type { AuditRecord, OrganizationStore } from '../store'

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
    ...memberships(database, addAudit),
    ...invitations(database, addAudit),
    ...apiKeys(database, addAudit),
    ...audits(database, addAudit),
    ...chains(database),
    ...attempts(database),
    ...passwordResets(database, addAudit),
    ...emailLinks(database, addAudit),
    ...emailChanges(database, addAudit),
    ...unverified(database, addAudit),
    ...secondFactors(database, addAudit),
    ...mails(database),
    ...upkeep(database),
  }
}

type AddAudit = (organizationId: string, record: AuditRecord) => void

function auditWriter(database: Sqlite): AddAudit {
  const writer = new AuditWriter(database, 'organizations')
  const insertMail = mailWriter(database)
  return (organizationId, { notices = [], ...entry }) => {
    // A command of the operator may have written in the meantime.
    writer.forget()
    writer.add(organizationId, readyEntry(entry))
    writer.beforeCommit()
    for (const mail of notices) insertMail(mail)
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
    AND (:network IS NULL OR entry ->> '$.network' = :network)
    AND (:device IS NULL OR instr(lower(entry ->> '$.device'), lower(:device)) > 0)
    AND entry ->> '$.at' >= :from AND entry ->> '$.at' < :before`
  const page = database.prepare(
    `SELECT entry FROM audit WHERE ${wanted}
     ORDER BY entry ->> '$.at' DESC, position DESC LIMIT :size OFFSET :skipped`,
  )
  const count = database.prepare(`SELECT count(*) AS total FROM audit WHERE ${wanted}`)
  return {
    addAudit: (organizationId, record) =>
      answer(() => {
        inTransaction(database, () => addAudit(organizationId, record))
      }),
    listAudit: (organizationId, { page: index, size, uncounted = false, ...filters }) =>
      answer(() => {
        const options = {
          organization: organizationId,
          action: filters.action ?? null,
          actor: filters.actor ?? null,
          invoice: filters.invoiceId ?? null,
          network: filters.network ?? null,
          device: filters.device ?? null,
          from: filters.atFrom ?? '',
          before: filters.atBefore ?? '~',
        }
        const rows = page.all({ ...options, size, skipped: index * size }) as { entry: string }[]
        const total = uncounted ? 0 : (count.get(options) as { total: number }).total
        return { entries: rows.map(({ entry }) => JSON.parse(entry) as AuditEntry), total }
      }),
  }
}

function chains(database: Sqlite): AuditChains {
  const write = checkpointStateWriter(database)
  return {
    ...auditChainReads(database),
    writeCheckpointState: (state) => answer(() => write(state)),
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
