/** The audit of organizations in MongoDB. */

import type { Mongo } from '@einvoicing/kernel/mongo'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { mongo } from 'mongoose'
import { collectionsOf, newest, type Collections } from './mongo-collections'
import type { OrganizationStore } from './store'

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
      mongo.write((db) => addAudit(collectionsOf(db), { organizationId, entry })),
    listAudit: (organizationId, { page, size }) =>
      mongo.read(async (db) => {
        const { audit } = collectionsOf(db)
        const found = audit
          .find({ organizationId })
          .sort(newest)
          .skip(page * size)
          .limit(size)
        const [documents, total] = await Promise.all([
          found.toArray(),
          audit.countDocuments({ organizationId }),
        ])
        return { entries: documents.map(({ entry }) => entry), total }
      }),
  }
}
