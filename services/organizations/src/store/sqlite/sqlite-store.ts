import { inTransaction, openSqlite, type Sqlite } from '@einvoicing/stores/sqlite'
import {
  auditChainReads,
  AuditWriter,
  checkpointStateWriter,
  readyEntry,
} from '@einvoicing/stores/sqlite-audit-chain'
import type { AuditChains } from '@einvoicing/runtime/audit-chain'
import { answer } from './answer'
import { apiKeys } from './api-keys'
import { attempts } from './attempts'
import { auditReads } from './audit-reads'
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
  const reads = auditReads(file)
  return {
    ...organizations(database, addAudit),
    ...users(database, addAudit),
    ...sessions(database, addAudit),
    ...sessionWrites(database, addAudit),
    ...members(database, addAudit),
    ...memberships(database, addAudit),
    ...invitations(database, addAudit),
    ...apiKeys(database, addAudit),
    ...reads,
    addAudit: (organizationId, record) =>
      answer(() => inTransaction(database, () => addAudit(organizationId, record))),
    ...chains(database),
    ...attempts(database),
    ...passwordResets(database, addAudit),
    ...emailLinks(database, addAudit),
    ...emailChanges(database, addAudit),
    ...unverified(database, addAudit),
    ...secondFactors(database, addAudit),
    ...mails(database),
    ...upkeep(database),
    async close() {
      await reads.close()
      await answer(() => database.close())
    },
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
    for (const mail of notices) insertMail(mail, organizationId)
  }
}

function chains(database: Sqlite): AuditChains {
  const write = checkpointStateWriter(database)
  return {
    ...auditChainReads(database, answer),
    writeCheckpointState: (state) => answer(() => write(state)),
  }
}

function upkeep(
  database: Sqlite,
): Pick<OrganizationStore, 'remembered' | 'rememberFirst' | 'check'> {
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
  }
}
