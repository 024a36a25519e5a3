import { inTransaction, isUniqueViolation, type Sqlite } from '@einvoicing/stores/sqlite'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { issuing } from '../issuing'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import { userWriter } from './users'
import type { AuditRecord, OrganizationStore, StoredApproval, StoredOrganization } from '../store'
import { unlessTaken } from '../unless-taken'

type AddAudit = (organizationId: string, record: AuditRecord) => void

type Organizations = Pick<
  OrganizationStore,
  | 'hasOrganizations'
  | 'addOrganization'
  | 'findMentions'
  | 'findOrganization'
  | 'listOrganizations'
  | 'listByIce'
  | 'decideApproval'
  | 'replaceMentions'
>

export function organizations(database: Sqlite, addAudit: AddAudit): Organizations {
  const any = database.prepare('SELECT 1 FROM organization LIMIT 1')
  const insert = database.prepare(
    'INSERT INTO organization (id, mentions, created_at, approval) VALUES (?, ?, ?, ?)',
  )
  const insertUser = userWriter(database)
  const insertSession = sessionWriter(database)
  return {
    hasOrganizations: () => answer(() => any.get([]) !== undefined),
    addOrganization: ({ id, mentions, createdAt, approval, user, session }, audit) =>
      unlessTaken(
        isUniqueViolation,
        answer(() =>
          inTransaction(database, () => {
            insert.run([id, JSON.stringify(mentions), createdAt, approval ?? null])
            insertUser(user)
            if (session) insertSession(session)
            addAudit(id, audit)
            return 'added'
          }),
        ),
      ),
    ...organizationReads(database),
    ...organizationWrites(database, addAudit),
  }
}

type Reads = Pick<
  Organizations,
  'findMentions' | 'findOrganization' | 'listOrganizations' | 'listByIce'
>

function organizationReads(database: Sqlite): Reads {
  const find = organizationFinder(database)
  const after = database.prepare(
    `SELECT ${columns} FROM organization
     WHERE id > :after AND closed_at IS NULL
       AND (:approval IS NULL OR ifnull(approval, 'APPROVED') = :approval)
     ORDER BY id LIMIT :count`,
  )
  const byIce = [
    database.prepare(
      `SELECT id FROM organization WHERE mentions ->> '$.ice' = :ice AND approval IS :approval
       ORDER BY id LIMIT :count`,
    ),
    database.prepare(
      `SELECT id FROM former_ice JOIN organization ON id = organization_id
       WHERE former_ice.ice = :ice AND approval IS :approval AND mentions ->> '$.ice' <> :ice
       ORDER BY organization_id LIMIT :count`,
    ),
  ]
  return {
    findMentions: (organizationId) => answer(() => find(organizationId)?.mentions),
    findOrganization: (organizationId) => answer(() => find(organizationId)),
    listOrganizations: ({ approval = null, ...of }) =>
      answer(() => (after.all({ ...of, approval }) as Row[]).map(toOrganization)),
    listByIce: (ice, count) =>
      answer(() => {
        const ids: string[] = []
        for (const approval of issuing) {
          for (const some of byIce) {
            const of = { ice, approval: approval ?? null, count: count - ids.length }
            ids.push(...(some.all(of) as { id: string }[]).map(({ id }) => id))
          }
        }
        return ids
      }),
  }
}

function organizationWrites(
  database: Sqlite,
  addAudit: AddAudit,
): Pick<Organizations, 'decideApproval' | 'replaceMentions'> {
  const find = organizationFinder(database)
  const check = writerCheck(database)
  const findHolder = iceHolderFinder(database)
  const decide = database.prepare('UPDATE organization SET approval = ?, held_ice = ? WHERE id = ?')
  const update = database.prepare('UPDATE organization SET mentions = ?, held_ice = ? WHERE id = ?')
  const addFormer = database.prepare('INSERT OR IGNORE INTO former_ice VALUES (?, ?)')
  return {
    decideApproval: (by, approval, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId: id } = by
          const before = find(id)
          if (!before) return 'unknown'
          const audit = describe(before)
          const { ice } = before.mentions
          const taken = approval === 'APPROVED' ? findHolder(ice, id).any : undefined
          if (taken !== undefined) return { taken }
          decide.run([approval, approval === 'APPROVED' ? ice : null, id])
          addAudit(id, audit)
          return 'decided'
        }),
      ),
    replaceMentions: (by, { mentions, isIceChecked = false }, describe) =>
      answer(() =>
        inTransaction(database, () => {
          const { organizationId: id } = by
          check(by)
          const before = find(id)
          if (!before) return false
          const audit = describe(before.mentions, before.approval)
          const { ice } = mentions
          const holdsIce = before.approval === 'APPROVED'
          const isOther = ice !== before.mentions.ice && (isIceChecked || holdsIce)
          const holder = isOther ? findHolder(ice, id) : undefined
          if ((holdsIce ? holder?.any : holder?.alone) !== undefined) return 'ice-taken'
          update.run([JSON.stringify(mentions), holdsIce ? ice : null, id])
          const former = before.mentions.ice
          if (former !== '' && former !== ice) addFormer.run([former, id])
          addAudit(id, audit)
          return true
        }),
      ),
  }
}

/** `alone`: approved by the operator; `any`: or counted as approved. */
function iceHolderFinder(database: Sqlite) {
  const byHeldIce = database.prepare('SELECT id FROM organization WHERE held_ice = ? AND id <> ?')
  const counted = database.prepare(
    `SELECT id FROM organization
     WHERE mentions ->> '$.ice' = ? AND id <> ? AND approval IS NULL LIMIT 1`,
  )
  return (ice: string, except: string) => {
    const of = [ice, except]
    const alone = (byHeldIce.get(of) as { id: string } | undefined)?.id
    return { alone, any: alone ?? (counted.get(of) as { id: string } | undefined)?.id }
  }
}

const columns = 'id, mentions, created_at AS createdAt, approval'

interface Row {
  id: string
  mentions: string
  createdAt: string
  approval: StoredApproval | null
}

export function organizationFinder(database: Sqlite) {
  const byId = database.prepare(`SELECT ${columns} FROM organization WHERE id = ?`)
  return (organizationId: string): StoredOrganization | undefined => {
    const row = byId.get([organizationId]) as Row | undefined
    return row && toOrganization(row)
  }
}

function toOrganization({ id, mentions, createdAt, approval }: Row): StoredOrganization {
  const parsed = JSON.parse(mentions) as LegalMentions
  return { id, mentions: parsed, createdAt, approval: approval ?? undefined }
}
