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
import type { ApiKey } from '@einvoicing/proto/organizations'
import { answer } from './answer'
import { attempts } from './attempts'
import { invitations, members } from './members'
import { mails } from './mails'
import { migrations } from './schema'
import { passwordResets } from './password-resets'
import { sessions, sessionWriter, sessionWrites, writerCheck } from './sessions'
import { users, userWriter } from './users'
import type { ApiKeyHolder, OrganizationStore } from '../store'

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

type ApiKeyUse = Pick<
  OrganizationStore,
  'findHolders' | 'replaceDigest' | 'countLiveApiKeysByPepper' | 'recordUses'
>
type ApiKeys = ApiKeyUse &
  Pick<OrganizationStore, 'addApiKey' | 'countLiveApiKeys' | 'listApiKeys' | 'revokeApiKey'>

const apiKeyColumns = `id, name, last4, created_at AS createdAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt`

type ApiKeyRow = Omit<ApiKey, 'lastUsedAt' | 'revokedAt'> & {
  lastUsedAt: string | null
  revokedAt: string | null
}

function apiKeys(database: Sqlite, addAudit: AddAudit): ApiKeys {
  const insert = database.prepare('INSERT INTO api_key VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, ?)')
  const countLive = database.prepare(
    'SELECT count(*) AS live FROM api_key WHERE organization_id = ? AND revoked_at IS NULL',
  )
  const list = database.prepare(
    `SELECT * FROM (
       SELECT ${apiKeyColumns} FROM api_key WHERE organization_id = ?
       ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT ?)
     ORDER BY createdAt DESC, id DESC`,
  )
  const byId = database.prepare(
    `SELECT ${apiKeyColumns} FROM api_key WHERE id = ? AND organization_id = ?`,
  )
  const revoke = database.prepare(
    'UPDATE api_key SET revoked_at = ? WHERE id = ? AND organization_id = ? AND revoked_at IS NULL',
  )
  const organizationById = database.prepare('SELECT 1 FROM organization WHERE id = ?')
  const check = writerCheck(database)
  const countLiveKeys = (organizationId: string) =>
    (countLive.get([organizationId]) as { live: number }).live
  return {
    addApiKey: (by, { key, max }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { id, organizationId, name, digest, last4, createdAt, pepper } = key
          check(by)
          if (!organizationById.get([organizationId])) return 'no-organization'
          if (countLiveKeys(organizationId) >= max) return 'too-many'
          insert.run([id, organizationId, name, digest, last4, createdAt, pepper])
          addAudit(organizationId, audit)
          return 'added'
        }),
      ),
    countLiveApiKeys: (organizationId) => answer(() => countLiveKeys(organizationId)),
    listApiKeys: (organizationId, max) =>
      answer(() => (list.all([organizationId, max]) as ApiKeyRow[]).map(toApiKey)),
    revokeApiKey: (by, apiKeyId, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const { changes } = revoke.run([audit.at, apiKeyId, organizationId])
          if (changes > 0) addAudit(organizationId, audit)
          const row = byId.get([apiKeyId, organizationId]) as ApiKeyRow | undefined
          return row && toApiKey(row)
        }),
      ),
    ...apiKeyUse(database),
  }
}

function apiKeyUse(database: Sqlite): ApiKeyUse {
  const holderBy = (placeholders: string) =>
    database.prepare(
      `SELECT api_key.id AS apiKeyId, organization_id AS organizationId, mentions, digest
       FROM api_key JOIN organization ON organization.id = organization_id
       WHERE digest IN (${placeholders}) AND revoked_at IS NULL`,
    )
  // By the number of peppers.
  const holder = [holderBy('?'), holderBy('?, ?'), holderBy('?, ?, ?')]
  const replace = database.prepare(
    'UPDATE api_key SET digest = ?, pepper = ? WHERE digest = ? AND revoked_at IS NULL',
  )
  const count = database.prepare(
    'SELECT pepper, count(*) AS keys FROM api_key WHERE revoked_at IS NULL GROUP BY pepper',
  )
  const use = database.prepare(
    `UPDATE api_key SET last_used_at = max(ifnull(last_used_at, ''), ?) WHERE id = ?`,
  )
  return {
    findHolders: (keys) =>
      answer(() =>
        keys.map((digests) => {
          const row = holder[digests.length - 1]?.get([...digests]) as HolderRow | undefined
          return row && toHolder(row, digests)
        }),
      ),
    replaceDigest: ({ from, to, pepper }) =>
      answer(() => replace.run([to, pepper, from]).changes > 0),
    countLiveApiKeysByPepper: () =>
      answer(() => {
        const rows = count.all([]) as { pepper: string | null; keys: number }[]
        return rows.map(({ pepper, keys }) => ({ pepper: pepper ?? undefined, keys }))
      }),
    recordUses: (lastUsedAtById) =>
      answer(() => {
        inTransaction(database, () => {
          for (const [id, lastUsedAt] of lastUsedAtById) use.run([lastUsedAt, id])
        })
      }),
  }
}

interface HolderRow {
  apiKeyId: string
  organizationId: string
  mentions: string
  digest: Uint8Array
}

function toHolder(row: HolderRow, digests: readonly Buffer[]): ApiKeyHolder | undefined {
  const { apiKeyId, organizationId, mentions } = row
  const digest = digests.find((one) => one.equals(row.digest))
  return (
    digest && { digest, apiKeyId, organizationId, mentions: JSON.parse(mentions) as LegalMentions }
  )
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

function toApiKey({ id, name, last4, createdAt, lastUsedAt, revokedAt }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    last4,
    createdAt,
    lastUsedAt: lastUsedAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  }
}
