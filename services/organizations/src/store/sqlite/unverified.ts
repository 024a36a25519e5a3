import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { answer } from './answer'
import { organizationFinder } from './organizations'
import { inLastUsed, toUser, userColumns, type UserRow } from './users'
import { isUntouched } from '../untouched'
import type { AuditRecord, OrganizationStore } from '../store'

type Unverified = Pick<OrganizationStore, 'findUnverified' | 'expireUnverified'>

export function unverified(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): Unverified {
  const findOrganization = organizationFinder(database)
  const page = database.prepare(
    `SELECT ${userColumns} ${inLastUsed}
     WHERE unverified_since <= :before
     ORDER BY unverified_since, user.id LIMIT :count OFFSET :skip`,
  )
  const one = database.prepare(
    `SELECT ${userColumns} ${inLastUsed}
     WHERE user.id = :userId AND unverified_since <= :before`,
  )
  const count = database.prepare(
    `SELECT
       (SELECT count(*) FROM membership WHERE organization_id = :id) +
         (SELECT count(*) FROM invitation WHERE organization_id = :id) AS people,
       (SELECT count(*) FROM membership WHERE organization_id = :id AND role = 'OWNER') AS owners,
       (SELECT count(*) FROM membership WHERE user_id = :user) AS memberships,
       (SELECT count(*) FROM api_key WHERE organization_id = :id) AS keys`,
  )
  const remove = database.prepare('DELETE FROM user WHERE id = ?')
  const close = database.prepare('UPDATE organization SET closed_at = ? WHERE id = ?')
  return {
    findUnverified: (of) => answer(() => (page.all(of) as UserRow[]).map(toUser)),
    expireUnverified: (of, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const row = one.get(of) as UserRow | undefined
          if (!row) return 'gone'
          const { organizationId: id, role } = row
          const counts = count.get({ id, user: of.userId }) as Counts
          const { people, owners, keys, memberships } = counts
          if (memberships > 1) return 'kept'
          const isAlone = people === 1
          const organization = findOrganization(id)
          const isEmpty = keys === 0 && organization !== undefined && isUntouched(organization)
          if (isAlone ? !isEmpty : role === 'OWNER' && owners === 1) return 'kept'
          remove.run([of.userId])
          if (isAlone) close.run([audit.at, id])
          addAudit(id, audit)
          return 'removed'
        }),
      ),
  }
}

interface Counts {
  people: number
  owners: number
  keys: number
  memberships: number
}
