import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { ApiKey } from '@einvoicing/proto/organizations'
import { answer } from './answer'
import { mailWriter } from './mails'
import { writerCheck } from './sessions'
import type { ApiKeyHolder, ExpiringApiKey, NewApiKey } from '../api-key-records'
import type { AuditRecord, OrganizationStore, StoredApproval } from '../store'

type ApiKeyUse = Pick<
  OrganizationStore,
  'findHolders' | 'replaceDigest' | 'countLiveApiKeysByPepper' | 'recordUses'
>
type ApiKeyExpiry = Pick<OrganizationStore, 'findExpiringApiKeys' | 'announceExpiry'>
type ApiKeys = ApiKeyUse &
  ApiKeyExpiry &
  Pick<OrganizationStore, 'addApiKey' | 'rotateApiKey' | 'listApiKeys' | 'revokeApiKey'>

type AddAudit = (organizationId: string, record: AuditRecord) => void

const apiKeyColumns = `id, name, last4, created_at AS createdAt, last_used_at AS lastUsedAt,
  revoked_at AS revokedAt, scopes, allowed_networks AS allowedNetworks, expires_at AS expiresAt,
  last_used_network AS lastUsedNetwork`

const liveAtNow = '(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now))'

interface LimitsRow {
  scopes: string | null
  allowedNetworks: string | null
  expiresAt: string | null
}

type ApiKeyRow = Pick<ApiKey, 'id' | 'name' | 'last4' | 'createdAt'> &
  LimitsRow & {
    lastUsedAt: string | null
    lastUsedNetwork: string | null
    revokedAt: string | null
  }

export function apiKeys(database: Sqlite, addAudit: AddAudit): ApiKeys {
  const insert = keyWriter(database)
  const { countLiveKeys, find, list } = keyReader(database)
  const revoke = database.prepare(
    'UPDATE api_key SET revoked_at = ? WHERE id = ? AND organization_id = ? AND revoked_at IS NULL',
  )
  // A user who rotates a key knows that it expires: no mail is sent.
  const expire = database.prepare(
    `UPDATE api_key SET expires_at = min(ifnull(expires_at, :until), :until), announced_days = 14,
       before_rotation = ifnull(before_rotation, json_object('expiresAt', expires_at))
     WHERE id = :id`,
  )
  const chosenEnd = database.prepare(
    `SELECT iif(before_rotation IS NULL, expires_at, before_rotation ->> '$.expiresAt') AS expiresAt
     FROM api_key WHERE id = ?`,
  )
  const organizationById = database.prepare('SELECT 1 FROM organization WHERE id = ?')
  const check = writerCheck(database)
  return {
    addApiKey: (by, { key, max }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = key
          check(by)
          if (!organizationById.get([organizationId])) return 'no-organization'
          if (countLiveKeys(organizationId, key.createdAt) >= max) return 'too-many'
          insert(key)
          addAudit(organizationId, audit)
          return 'added'
        }),
      ),
    rotateApiKey: (by, { id, now, until, max }, makeKey) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const old = find(id, organizationId)
          if (!old) return undefined
          if (old.revokedAt !== undefined || isExpired(old, now)) return 'ended'
          if (countLiveKeys(organizationId, now) >= max) return 'too-many'
          const { expiresAt } = chosenEnd.get([id]) as Pick<LimitsRow, 'expiresAt'>
          const { key, audit } = makeKey({ ...old, expiresAt: expiresAt ?? undefined })
          insert(key)
          expire.run({ id, until })
          addAudit(organizationId, audit)
          return old
        }),
      ),
    listApiKeys: (organizationId, of) => answer(() => list(organizationId, of)),
    revokeApiKey: (by, apiKeyId, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId } = by
          check(by)
          const { changes } = revoke.run([audit.at, apiKeyId, organizationId])
          if (changes > 0) addAudit(organizationId, audit)
          return find(apiKeyId, organizationId)
        }),
      ),
    ...apiKeyExpiry(database),
    ...apiKeyUse(database),
  }
}

function keyReader(database: Sqlite) {
  const countLive = database.prepare(
    `SELECT count(*) AS live FROM api_key WHERE organization_id = :organization AND ${liveAtNow}`,
  )
  const newestFirst = database.prepare(
    `SELECT * FROM (
       SELECT ${apiKeyColumns} FROM api_key WHERE organization_id = :organization
       ORDER BY ${liveAtNow} DESC, created_at DESC, id DESC LIMIT :max)
     ORDER BY createdAt DESC, id DESC`,
  )
  const byId = database.prepare(
    `SELECT ${apiKeyColumns} FROM api_key WHERE id = ? AND organization_id = ?`,
  )
  return {
    countLiveKeys: (organization: string, now: string) =>
      (countLive.get({ organization, now }) as { live: number }).live,
    find: (id: string, organizationId: string) => {
      const row = byId.get([id, organizationId]) as ApiKeyRow | undefined
      return row && toApiKey(row)
    },
    list: (organization: string, of: { now: string; max: number }) =>
      (newestFirst.all({ organization, ...of }) as ApiKeyRow[]).map(toApiKey),
  }
}

function keyWriter(database: Sqlite): (key: NewApiKey) => void {
  const insert = database.prepare(
    `INSERT INTO api_key (id, organization_id, name, digest, last4, created_at, pepper,
       scopes, allowed_networks, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ id, organizationId, name, digest, last4, createdAt, pepper, ...limits }) => {
    const texts = [limits.scopes, limits.allowedNetworks].map((list) =>
      list.length === 0 ? null : JSON.stringify(list),
    )
    const key = [id, organizationId, name, digest, last4, createdAt, pepper]
    insert.run([...key, ...texts, limits.expiresAt ?? null])
  }
}

function apiKeyExpiry(database: Sqlite): ApiKeyExpiry {
  const search = (span: string) =>
    database.prepare(
      `SELECT id, organization_id AS organizationId, name, last4, expires_at AS expiresAt
       FROM api_key WHERE ${span} AND revoked_at IS NULL AND ifnull(announced_days, 999) > :days
       ORDER BY expires_at, rowid LIMIT 100`,
    )
  const later = search('expires_at > :from AND expires_at <= :until')
  const sameMoment = search(
    'expires_at = :from AND rowid > (SELECT rowid FROM api_key WHERE id = :id)',
  )
  const announce = database.prepare(
    `UPDATE api_key SET announced_days = :days
     WHERE id = :id AND revoked_at IS NULL AND ifnull(announced_days, 999) > :days
     RETURNING organization_id AS organizationId`,
  )
  const insertMail = mailWriter(database)
  return {
    findExpiringApiKeys: ({ now, until, days, after }) =>
      answer(() => {
        const from = after?.expiresAt ?? now
        const same = after ? sameMoment.all({ from, id: after.id, days }) : []
        return (same.length > 0 ? same : later.all({ from, until, days })) as ExpiringApiKey[]
      }),
    announceExpiry: (id, days, mails) =>
      answer(() =>
        inTransaction(database, () => {
          const key = announce.get({ id, days }) as { organizationId: string } | undefined
          if (!key) return false
          for (const mail of mails) insertMail(mail, key.organizationId)
          return true
        }),
      ),
  }
}

function apiKeyUse(database: Sqlite): ApiKeyUse {
  const holderBy = (placeholders: string) =>
    database.prepare(
      `SELECT api_key.id AS apiKeyId, organization_id AS organizationId, mentions, approval, digest,
         scopes, allowed_networks AS allowedNetworks, expires_at AS expiresAt
       FROM api_key JOIN organization ON organization.id = organization_id
       WHERE digest IN (${placeholders}) AND revoked_at IS NULL`,
    )
  const holder = [holderBy('?'), holderBy('?, ?'), holderBy('?, ?, ?')]
  const replace = database.prepare(
    'UPDATE api_key SET digest = ?, pepper = ? WHERE digest = ? AND revoked_at IS NULL',
  )
  const count = database.prepare(
    `SELECT pepper, count(*) AS keys FROM api_key
     WHERE ${liveAtNow} AND pepper IS NOT :except GROUP BY pepper`,
  )
  const use = database.prepare(
    `UPDATE api_key SET last_used_at = :at, last_used_network = ifnull(:network, last_used_network)
     WHERE id = :id AND ifnull(last_used_at, '') < :at`,
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
    countLiveApiKeysByPepper: (of) =>
      answer(() => {
        const rows = count.all(of) as { pepper: string | null; keys: number }[]
        return rows.map(({ pepper, keys }) => ({ pepper: pepper ?? undefined, keys }))
      }),
    recordUses: (lastUsedAtById, networkById) =>
      answer(() => {
        inTransaction(database, () => {
          for (const [id, at] of lastUsedAtById) {
            use.run({ id, at, network: networkById?.get(id) ?? null })
          }
        })
      }),
  }
}

interface HolderRow extends LimitsRow {
  apiKeyId: string
  organizationId: string
  mentions: string
  approval: StoredApproval | null
  digest: Uint8Array
}

function toHolder(row: HolderRow, digests: readonly Buffer[]): ApiKeyHolder | undefined {
  const { apiKeyId, organizationId } = row
  const digest = digests.find((one) => one.equals(row.digest))
  if (!digest) return undefined
  const mentions = JSON.parse(row.mentions) as LegalMentions
  const approval = row.approval ?? undefined
  return { digest, apiKeyId, organizationId, mentions, approval, ...toLimits(row) }
}

function toApiKey({ id, name, last4, createdAt, ...row }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    last4,
    createdAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    lastUsedNetwork: row.lastUsedNetwork ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
    ...toLimits(row),
  }
}

function toLimits({ scopes, allowedNetworks, expiresAt }: LimitsRow) {
  return {
    scopes: scopes === null ? [] : (JSON.parse(scopes) as string[]),
    allowedNetworks: allowedNetworks === null ? [] : (JSON.parse(allowedNetworks) as string[]),
    expiresAt: expiresAt ?? undefined,
  }
}

function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: string): boolean {
  return expiresAt !== undefined && expiresAt <= now
}
