import { nameLevel } from '@einvoicing/domain/signature-level'
import type { Mongo } from '@einvoicing/stores/mongo'
import type { Writer } from './writer'
import { getInvoiceCollection, type InvoiceDocument } from './schema'
import { toRenewIndex } from './work-indexes'
import type { ArchivedEvidence, InvoiceStore, SignatureEvidence, SignedState } from '../store'

type Evidence = Pick<
  InvoiceStore,
  'readEvidence' | 'listSigned' | 'listRenewals' | 'requestEvidence'
>

const stateFields = {
  organizationId: 1,
  unarchived: 1,
  archiveDead: 1,
  'evidence.level': 1,
  'evidence.artefact': 1,
  'evidence.renewBy': 1,
} as const

const underWay = ['signed-xml', 'time-stamp', 'evidence'] as const
const isIdle = Object.fromEntries(
  [...underWay.map((part) => `unarchived.${part}`), 'archiveDead.signed-xml'].map((field) => [
    field,
    { $exists: false },
  ]),
)

export function evidence(mongo: Mongo, writer: Writer): Evidence {
  return {
    async readEvidence(organizationId, _id) {
      const found = await mongo.read((db) =>
        getInvoiceCollection(db).findOne({ _id, organizationId }, { projection: { evidence: 1 } }),
      )
      return found?.evidence && toEvidence(found.evidence)
    },
    async listSigned(after = '', count) {
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(
            { _id: { $gt: after }, 'invoice.status': { $nin: ['PENDING', 'CANCELLED'] } },
            { projection: stateFields, hint: '_id_' },
          )
          .sort({ _id: 1 })
          .limit(count)
          .toArray(),
      )
      return found.map(toState)
    },
    async listRenewals(until, count) {
      const found = await mongo.read((db) =>
        getInvoiceCollection(db)
          .find(
            {
              'unarchived.evidence.position': { $exists: false },
              'evidence.renewBy': { $lte: until },
              ...isIdle,
            },
            { projection: stateFields, hint: toRenewIndex.name },
          )
          .sort({ 'evidence.renewBy': 1 })
          .limit(count)
          .toArray(),
      )
      return found.map(toState)
    },
    async requestEvidence(part, invoices) {
      if (invoices.length === 0) return
      const requests = invoices.map(({ organizationId, invoiceId: _id }) => ({
        updateOne: {
          filter: { _id, organizationId, ...isIdle },
          update: { $set: { [`unarchived.${part}`]: writer.pending() } },
        },
      }))
      await mongo.write((db) => getInvoiceCollection(db).bulkWrite(requests, { ordered: false }))
    },
  }
}

function toEvidence(kept: NonNullable<InvoiceDocument['evidence']>): SignatureEvidence {
  const { timeStampedAt, token, artefact, renewBy } = kept
  if (artefact === undefined) {
    return { level: 'XAdES-B-T', timeStampedAt, token: Buffer.from(token?.value() ?? []) }
  }
  const level = kept.level as ArchivedEvidence['level']
  return { level, timeStampedAt, artefact, ...(renewBy !== undefined && { renewBy }) }
}

type StateDocument = Pick<
  InvoiceDocument,
  '_id' | 'organizationId' | 'unarchived' | 'archiveDead' | 'evidence'
>

function toState({ _id, organizationId, ...document }: StateDocument): SignedState {
  const { unarchived, archiveDead, evidence: kept } = document
  const { level = nameLevel('B'), artefact, renewBy } = kept ?? {}
  return {
    organizationId,
    invoiceId: _id,
    level,
    ...(artefact !== undefined && { artefact }),
    ...(renewBy !== undefined && { renewBy }),
    isPending:
      underWay.some((part) => unarchived?.[part] !== undefined) ||
      archiveDead?.['signed-xml'] !== undefined,
  }
}
