/**
 * The embedded organization store: one SQLite file.
 *
 * Writes here are rare (a person in the dashboard), so they wait for the disk where they are; only
 * `findHolder` is hot, and it is one look-up by index.
 */

import {
  inTransaction,
  isUniqueViolation,
  openSqlite,
  orUnavailable,
  type Sqlite,
} from '@einvoicing/kernel/sqlite'
import type { AuditEntry, LegalMentions } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { migrations } from './sqlite-schema'
import type { OrganizationStore, User } from './store'

/** Throws `SettingsError` with one sentence when the file cannot be used. */
export function openSqliteStore(file: string): OrganizationStore {
  const database = openSqlite(file, migrations)
  const addAudit = auditWriter(database)
  return {
    ...organizations(database, addAudit),
    ...apiKeys(database, addAudit),
    ...audits(database, addAudit),
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
  'hasOrganizations' | 'addOrganization' | 'findUser' | 'findMentions' | 'replaceMentions'
>

function organizations(database: Sqlite, addAudit: AddAudit): Organizations {
  const any = database.prepare('SELECT 1 FROM organization LIMIT 1')
  const insert = database.prepare('INSERT INTO organization VALUES (?, ?, ?)')
  const insertUser = database.prepare('INSERT INTO user VALUES (?, ?, ?, ?)')
  const userByEmail = database.prepare(
    'SELECT id, organization_id AS organizationId, password_hash AS passwordHash FROM user WHERE email = ?',
  )
  const mentionsById = database.prepare('SELECT mentions FROM organization WHERE id = ?')
  const updateMentions = database.prepare('UPDATE organization SET mentions = ? WHERE id = ?')

  const findMentions = (organizationId: string): LegalMentions | undefined => {
    const row = mentionsById.get([organizationId]) as { mentions: string } | undefined
    return row && (JSON.parse(row.mentions) as LegalMentions)
  }
  return {
    hasOrganizations: () => answer(() => any.get([]) !== undefined),
    addOrganization: ({ id, mentions, createdAt, user }, audit) =>
      answer(() =>
        unlessTaken(database, () => {
          insert.run([id, JSON.stringify(mentions), createdAt])
          insertUser.run([user.id, user.organizationId, user.email, user.passwordHash])
          addAudit(id, audit)
        }),
      ),
    findUser: (email) =>
      answer(() => {
        const row = userByEmail.get([email]) as Omit<User, 'email'> | undefined
        // libsql adds a field of its own to what `get` answers.
        return (
          row && {
            id: row.id,
            organizationId: row.organizationId,
            email,
            passwordHash: row.passwordHash,
          }
        )
      }),
    findMentions: (organizationId) => answer(() => findMentions(organizationId)),
    replaceMentions: (organizationId, mentions, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const before = findMentions(organizationId)
          if (!before) return false
          updateMentions.run([JSON.stringify(mentions), organizationId])
          addAudit(organizationId, describe(before))
          return true
        }),
      ),
  }
}

/**
 * Email is the only thing two organizations could both claim: ids and digests are 128 and 256 bits.
 */
function unlessTaken(database: Sqlite, work: () => void): 'added' | 'email-taken' {
  try {
    inTransaction(database, work)
    return 'added'
  } catch (error) {
    if (isUniqueViolation(error)) return 'email-taken'
    throw error
  }
}

type ApiKeys = Pick<
  OrganizationStore,
  'addApiKey' | 'countLiveApiKeys' | 'listApiKeys' | 'revokeApiKey' | 'findHolder' | 'recordUses'
>

const apiKeyColumns = `id, name, last4, created_at AS createdAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt`

type ApiKeyRow = Omit<ApiKey, 'lastUsedAt' | 'revokedAt'> & {
  lastUsedAt: string | null
  revokedAt: string | null
}

function apiKeys(database: Sqlite, addAudit: AddAudit): ApiKeys {
  const insert = database.prepare('INSERT INTO api_key VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)')
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
  return {
    addApiKey: (key, audit) =>
      answer(() => {
        const { id, organizationId, name, digest, last4, createdAt } = key
        inTransaction(database, () => {
          insert.run([id, organizationId, name, digest, last4, createdAt])
          addAudit(organizationId, audit)
        })
      }),
    countLiveApiKeys: (organizationId) =>
      answer(() => (countLive.get([organizationId]) as { live: number }).live),
    listApiKeys: (organizationId, max) =>
      answer(() => (list.all([organizationId, max]) as ApiKeyRow[]).map(toApiKey)),
    revokeApiKey: (organizationId, apiKeyId, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { changes } = revoke.run([audit.at, apiKeyId, organizationId])
          if (changes > 0) addAudit(organizationId, audit)
          const row = byId.get([apiKeyId, organizationId]) as ApiKeyRow | undefined
          return row && toApiKey(row)
        }),
      ),
    ...apiKeyUse(database),
  }
}

function apiKeyUse(database: Sqlite): Pick<ApiKeys, 'findHolder' | 'recordUses'> {
  const holder = database.prepare(
    `SELECT api_key.id AS apiKeyId, organization_id AS organizationId, mentions
     FROM api_key JOIN organization ON organization.id = organization_id
     WHERE digest = ? AND revoked_at IS NULL`,
  )
  const use = database.prepare(
    `UPDATE api_key SET last_used_at = max(ifnull(last_used_at, ''), ?) WHERE id = ?`,
  )
  return {
    findHolder: (digest) =>
      answer(() => {
        const row = holder.get([digest]) as
          { apiKeyId: string; organizationId: string; mentions: string } | undefined
        if (!row) return undefined
        const { apiKeyId, organizationId, mentions } = row
        return { apiKeyId, organizationId, mentions: JSON.parse(mentions) as LegalMentions }
      }),
    recordUses: (lastUsedAtById) =>
      answer(() => {
        inTransaction(database, () => {
          for (const [id, lastUsedAt] of lastUsedAtById) use.run([lastUsedAt, id])
        })
      }),
  }
}

function audits(
  database: Sqlite,
  addAudit: AddAudit,
): Pick<OrganizationStore, 'addAudit' | 'listAudit'> {
  const page = database.prepare(
    `SELECT entry FROM audit WHERE organization_id = ?
     ORDER BY entry ->> '$.at' DESC, position DESC LIMIT ? OFFSET ?`,
  )
  const count = database.prepare('SELECT count(*) AS total FROM audit WHERE organization_id = ?')
  return {
    addAudit: (organizationId, entry) =>
      answer(() => {
        addAudit(organizationId, entry)
      }),
    listAudit: (organizationId, { page: index, size }) =>
      answer(() => {
        const rows = page.all([organizationId, size, index * size]) as { entry: string }[]
        const { total } = count.get([organizationId]) as { total: number }
        return { entries: rows.map(({ entry }) => JSON.parse(entry) as AuditEntry), total }
      }),
  }
}

function upkeep(database: Sqlite): Pick<OrganizationStore, 'rememberFirst' | 'check' | 'close'> {
  const remember = database.prepare('INSERT OR IGNORE INTO remembered VALUES (?, ?)')
  const remembered = database.prepare('SELECT value FROM remembered WHERE name = ?')
  const check = database.prepare('SELECT 1 FROM organization LIMIT 1')
  return {
    rememberFirst: (name, value) =>
      answer(() => {
        remember.run([name, value])
        return (remembered.get([name]) as { value: string }).value
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

function answer<T>(work: () => T): Promise<T> {
  return orUnavailable('The organization store', work)
}
