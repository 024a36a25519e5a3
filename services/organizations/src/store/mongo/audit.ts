import type { Mongo } from '@einvoicing/stores/mongo'
import type { AuditEntry, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import { openCollections, newest, type Collections } from './collections'
import type { OrganizationStore } from '../store'

export interface Audited {
  organizationId: string
  entry: AuditEntry
  session?: mongo.ClientSession
}

export async function addAudit(
  { audit }: Collections,
  { organizationId, entry, session }: Audited,
): Promise<void> {
  await audit.insertOne({ organizationId, at: entry.at, entry }, session && { session })
}

export function audits(mongo: Mongo): Pick<OrganizationStore, 'addAudit' | 'listAudit'> {
  return {
    addAudit: (organizationId, entry) =>
      mongo.write((db) => addAudit(openCollections(db), { organizationId, entry })),
    listAudit: (organizationId, { page, size, ...filters }) =>
      mongo.read(async (db) => {
        const { audit } = openCollections(db)
        const wanted = { organizationId, ...toFilter(filters) }
        const found = audit
          .find(wanted)
          .sort(newest)
          .skip(page * size)
          .limit(size)
        const [documents, total] = await Promise.all([
          found.toArray(),
          audit.countDocuments(wanted),
        ])
        return { entries: documents.map(({ entry }) => entry), total }
      }),
  }
}

type Filters = Omit<ListAuditRequest, 'page' | 'size'>

function toFilter({ action, actor, invoiceId, atFrom = '', atBefore = '~' }: Filters) {
  return {
    at: { $gte: atFrom, $lt: atBefore },
    ...(action !== undefined && { 'entry.action': prefixFilter(action) }),
    ...(actor !== undefined && { 'entry.actor': prefixFilter(actor) }),
    ...(invoiceId !== undefined && { 'entry.invoiceId': invoiceId }),
  }
}

// In ASCII "/" follows "." and ";" follows ":".
const followers: Readonly<Record<string, string>> = { '.': '/', ':': ';' }

/** `invoice.` and `user:` stand for all that begin with them. */
function prefixFilter(wanted: string) {
  const follower = followers[wanted.slice(-1)]
  if (follower === undefined) return wanted
  return { $gte: wanted, $lt: `${wanted.slice(0, -1)}${follower}` }
}
