import { inTransaction, type Sqlite } from '@einvoicing/stores/sqlite'
import { limits } from '@einvoicing/domain/limits'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { withClient } from '../../session'
import { answer } from './answer'
import type {
  AuditRecord,
  ConfirmedSession,
  OrganizationStore,
  Session,
  StoredApproval,
  User,
  Writer,
} from '../store'
import { checkWriter, isOpen } from '../writer-check'

const columns = `session.id, session.organization_id AS organizationId, session.user_id AS userId,
  session.password_version AS sessionPasswordVersion, network, device,
  session.created_at AS createdAt, last_seen_at AS lastSeenAt, expires_at AS expiresAt,
  ifnull(confirmed_at, session.created_at) AS confirmedAt`

const userColumns = `email, password_hash AS passwordHash, user.password_version AS passwordVersion,
  role, membership.created_at AS userCreatedAt, known_networks AS knownNetworks,
  known_devices AS knownDevices, unverified_since AS unverifiedSince`

const withMember = `JOIN user ON user.id = session.user_id
  JOIN membership ON membership.user_id = session.user_id
    AND membership.organization_id = session.organization_id`

/** The organization requires a second factor, and the user has none. */
const factorMissing = `(
  EXISTS (SELECT 1 FROM second_factor_rule
    WHERE second_factor_rule.organization_id = session.organization_id)
  AND NOT EXISTS (SELECT 1 FROM second_factor
    WHERE second_factor.user_id = session.user_id AND is_enrolled)) AS isFactorMissing`

type SessionRow = Omit<Session, 'passwordVersion'> &
  Omit<User, 'id' | 'createdAt' | 'knownNetworks' | 'knownDevices' | 'unverifiedSince'> & {
    unverifiedSince: string | null
    sessionPasswordVersion: number
    userCreatedAt: string
    knownNetworks: string
    knownDevices: string
  }

export function writerCheck(database: Sqlite): (by: Writer) => void {
  const byId = database.prepare(
    `SELECT ${columns}, ${userColumns} FROM session ${withMember}
     WHERE session.id = ?`,
  )
  return (by) => {
    const row = by.session && (byId.get([by.session.id]) as SessionRow | undefined)
    checkWriter(by, row && { session: toSession(row), user: toUser(row) })
  }
}

export function sessionWriter(database: Sqlite): (session: Session) => void {
  const forgetExpired = database.prepare('DELETE FROM session WHERE expires_at <= ?')
  const insert = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const endTooMany = database.prepare(
    `DELETE FROM session WHERE id IN (
       SELECT id FROM session WHERE user_id = ?
       ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${limits.sessionsPerUser})`,
  )
  const readKnown = database.prepare(
    'SELECT known_networks AS networks, known_devices AS devices FROM user WHERE id = ?',
  )
  const updateKnown = database.prepare(
    `UPDATE user SET organization_id = ?, known_networks = ?, known_devices = ? WHERE id = ?`,
  )
  return (session) => {
    const { id, organizationId, userId, passwordVersion, network, device } = session
    const { createdAt, lastSeenAt, expiresAt, confirmedAt } = session
    forgetExpired.run([createdAt])
    const of = [id, organizationId, userId, passwordVersion]
    insert.run([...of, network, device, createdAt, lastSeenAt, expiresAt, confirmedAt])
    endTooMany.run([userId])
    const known = readKnown.get([userId]) as { networks: string; devices: string }
    const before = {
      knownNetworks: JSON.parse(known.networks) as string[],
      knownDevices: JSON.parse(known.devices) as string[],
    }
    const { knownNetworks, knownDevices } = withClient(before, session)
    const clients = [JSON.stringify(knownNetworks), JSON.stringify(knownDevices)]
    updateKnown.run([organizationId, ...clients, userId])
  }
}

type Sessions = Pick<
  OrganizationStore,
  'openSession' | 'findSession' | 'endSession' | 'listSessions' | 'recordSeen'
>

export function sessions(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): Sessions {
  const insert = sessionWriter(database)
  const readVersion = database.prepare(
    `SELECT password_version AS version FROM user JOIN membership ON membership.user_id = user.id
     WHERE user.id = ? AND membership.organization_id = ?`,
  )
  const byId = database.prepare(
    `SELECT ${columns}, ${userColumns}, mentions, approval, ${factorMissing} FROM session
     ${withMember} JOIN organization ON organization.id = session.organization_id
     WHERE session.id = ? AND session.organization_id = ? AND session.user_id = ?`,
  )
  const ofUser = database.prepare(
    `SELECT ${columns} FROM session WHERE user_id = ? AND expires_at > ?
     ORDER BY last_seen_at DESC, id DESC`,
  )
  const remove = database.prepare('DELETE FROM session WHERE id = ? AND organization_id = ?')
  const see = database.prepare(
    'UPDATE session SET last_seen_at = max(last_seen_at, ?) WHERE id = ?',
  )
  return {
    openSession: (session, audit) =>
      answer(() =>
        inTransaction(database, () => {
          const { userId, organizationId, passwordVersion } = session
          const user = readVersion.get([userId, organizationId]) as { version: number } | undefined
          if (user?.version !== passwordVersion) return false
          insert(session)
          addAudit(organizationId, audit)
          return true
        }),
      ),
    findSession: ({ id, organizationId, userId }) =>
      answer(() => {
        const row = byId.get([id, organizationId, userId]) as
          | (SessionRow & {
              mentions: string
              approval: StoredApproval | null
              isFactorMissing: number
            })
          | undefined
        if (!row) return undefined
        const found = { session: toSession(row), user: toUser(row) }
        const mentions = JSON.parse(row.mentions) as LegalMentions
        const isFactorMissing = row.isFactorMissing !== 0
        const approval = row.approval ?? undefined
        return isOpen(found) ? { ...found, mentions, approval, isFactorMissing } : undefined
      }),
    endSession: (organizationId, sessionId, audit) =>
      answer(() =>
        inTransaction(database, () => {
          if (remove.run([sessionId, organizationId]).changes === 0) return false
          addAudit(organizationId, audit)
          return true
        }),
      ),
    listSessions: ({ userId, now }) =>
      answer(() => (ofUser.all([userId, now]) as SessionRow[]).map(toSession)),
    recordSeen: (lastSeenAtById) =>
      answer(() => {
        inTransaction(database, () => {
          for (const [id, lastSeenAt] of lastSeenAtById) see.run([lastSeenAt, id])
        })
      }),
  }
}

type SessionWrites = Pick<OrganizationStore, 'endSessions' | 'confirmSession'>

export function sessionWrites(
  database: Sqlite,
  addAudit: (organizationId: string, record: AuditRecord) => void,
): SessionWrites {
  const check = writerCheck(database)
  const end = database.prepare(
    `DELETE FROM session
     WHERE user_id = :user AND (:organization IS NULL OR organization_id = :organization)
       AND (:only IS NULL OR id = :only) AND (:except IS NULL OR id <> :except)
     RETURNING organization_id AS organizationId`,
  )
  const confirm = sessionConfirmer(database)
  return {
    endSessions: (by, { userId, id, except, everywhere = false }, audit) =>
      answer(() =>
        inTransaction(database, () => {
          check(by)
          const organization = everywhere ? null : by.organizationId
          const of = { user: userId, organization, only: id ?? null, except: except ?? null }
          const ended = end.all(of) as { organizationId: string }[]
          const organizations = new Set(ended.map(({ organizationId }) => organizationId))
          for (const organizationId of organizations) addAudit(organizationId, audit)
          return ended.length
        }),
      ),
    confirmSession: (by, confirmed, audit) =>
      answer(() => {
        inTransaction(database, () => {
          check(by)
          confirm(by, confirmed)
          addAudit(by.organizationId, audit)
        })
      }),
  }
}

/** Within the transaction of the caller. */
export function sessionConfirmer(database: Sqlite): (by: Writer, to: ConfirmedSession) => void {
  const confirm = database.prepare(
    `UPDATE session
     SET id = :id, confirmed_at = :at, last_seen_at = max(last_seen_at, :at) WHERE id = :before`,
  )
  return (by, { id, confirmedAt }) => {
    confirm.run({ id, at: confirmedAt, before: by.session?.id ?? '' })
  }
}

function toSession(row: SessionRow): Session {
  const { id, organizationId, userId, sessionPasswordVersion: passwordVersion } = row
  const { network, device, createdAt, lastSeenAt, expiresAt, confirmedAt } = row
  const at = { createdAt, lastSeenAt, expiresAt, confirmedAt }
  return { id, organizationId, userId, passwordVersion, network, device, ...at }
}

function toUser(row: SessionRow): User {
  const { userId: id, organizationId, email, passwordHash, passwordVersion, role } = row
  const knownNetworks = JSON.parse(row.knownNetworks) as string[]
  const knownDevices = JSON.parse(row.knownDevices) as string[]
  const who = { id, organizationId, email, passwordHash, passwordVersion, role }
  const unverified = row.unverifiedSince !== null && { unverifiedSince: row.unverifiedSince }
  return { ...who, createdAt: row.userCreatedAt, knownNetworks, knownDevices, ...unverified }
}
