import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { answer } from './answer'
import { sessionWriter, writerCheck } from './sessions'
import type { AuditRecord, Membership, OrganizationStore } from '../store'

export function memberships(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): Pick<OrganizationStore, 'listMemberships' | 'switchOrganization'> {
  const check = writerCheck(database)
  const insertSession = sessionWriter(database)
  const ofUser = database.prepare(
    `SELECT organization_id AS organizationId, mentions ->> '$.name' AS organizationName, role
     FROM membership JOIN organization ON organization.id = organization_id
     WHERE user_id = ? ORDER BY membership.created_at, organization_id`,
  )
  const isMember = database.prepare(
    'SELECT 1 FROM membership WHERE user_id = ? AND organization_id = ?',
  )
  const endSession = database.prepare('DELETE FROM session WHERE id = ?')
  return {
    listMemberships: (userId) =>
      answer(() =>
        (ofUser.all([userId]) as Membership[]).map(
          ({ organizationId, organizationName, role }) => ({
            organizationId,
            organizationName,
            role,
          }),
        ),
      ),
    switchOrganization: (by, opened, { left, entered }) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          const { userId, organizationId } = opened
          if (!isMember.get([userId, organizationId])) return false
          endSession.run([by.session.id])
          insertSession(opened)
          addAudit(by.organizationId, left)
          addAudit(organizationId, entered)
          return true
        }),
      ),
  }
}
