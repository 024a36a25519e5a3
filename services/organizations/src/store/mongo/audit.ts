/** The place in the chain is added later, so that two sign-ins at once do not conflict. */

import { prefixFilter } from '@einvoicing/stores/mongo-audit-log'
import { AuditTurns, readAuditPage } from '@einvoicing/stores/mongo-audit-pages'
import type { Mongo } from '@einvoicing/stores/mongo'
import { openAuditChain, type Chain } from '@einvoicing/stores/mongo-audit-chain'
import { HeldChains } from '@einvoicing/stores/mongo-held-chains'
import type { AuditChains } from '@einvoicing/runtime/audit-chain'
import type { Log } from '@einvoicing/runtime/log'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { AuditEntry, ListAuditRequest } from '@einvoicing/proto/invoice'
import mongoose, { type mongo } from 'mongoose'
import {
  auditCollections,
  openCollections,
  newest,
  type AuditDocument,
  type Collections,
} from './collections'
import { insertMails } from './mails'
import { inTransaction } from './transaction'
import type { AuditRecord, OrganizationStore } from '../store'

export interface Audited {
  organizationId: string
  entry: AuditRecord
  session?: mongo.ClientSession
}

/** Needs a transaction when there are messages. */
export async function addAudit(
  collections: Collections,
  { organizationId, entry: { notices = [], ...entry }, session }: Audited,
): Promise<void> {
  const { audit } = collections
  const added = { organizationId, at: entry.at, entry, unlinked: true } as const
  await audit.insertOne(added, session && { session })
  await insertMails(collections, notices, { organizationId, ...(session && { session }) })
}

export function organizationChain(mongo: Mongo): Chain {
  const chain = openAuditChain(
    mongo,
    {
      ...auditCollections,
      log: 'organizations',
      mark: 'unlinked',
      toEntry: (document) => toChainedEntry(document as unknown as AuditDocument),
      toDocument: (organizationId, entry) => {
        const _id = new mongoose.mongo.ObjectId()
        return { _id, organizationId, at: entry.at, entry } as never
      },
      firstId: (ms) =>
        `${Math.floor(ms / 1_000)
          .toString(16)
          .padStart(8, '0')}${'0'.repeat(16)}`,
      parseId: (text) => new mongoose.mongo.ObjectId(text),
    },
    () => linkAll(mongo, chain),
  )
  return chain
}

const pauseMs = 1_000

export function startAuditLinker(mongo: Mongo, { links }: Chain, log: Log): Loop {
  const held = new HeldChains(links)
  return startLoop({ name: 'audit', pauseMs, log }, () =>
    held.workOnOthers(async () => {
      const leftOut = new Set(held.list())
      const organizations = await listUnlinked(mongo)
      for (const id of organizations) if (!leftOut.has(id)) await held.chainEntries(id)
    }),
  )
}

async function linkAll(mongo: Mongo, { links }: Chain): Promise<void> {
  for (const organizationId of await listUnlinked(mongo)) await links.chainEntries(organizationId)
}

const listUnlinked = (mongo: Mongo): Promise<string[]> =>
  mongo.read((db) => openCollections(db).audit.distinct('organizationId', { unlinked: true }))

type Audits = Pick<OrganizationStore, 'addAudit' | 'listAudit' | keyof AuditChains>

export function audits(mongo: Mongo, { links, ...chains }: Chain): Audits {
  const turns = new AuditTurns(links)
  const listAudit = async (organizationId: string, request: ListAuditRequest) => {
    if (!(await links.tryChainEntries(organizationId))) return 'held'
    return mongo.read(async (db) => {
      const { audit } = openCollections(db)
      const wanted = { organizationId, ...toFilter(request) }
      const found = audit.find(wanted).sort(newest)
      const [page, total] = await Promise.all([
        readAuditPage(found, { request, toEntry: toAuditEntry, momentPath: 'entry.at' }),
        request.uncounted ? 0 : audit.countDocuments(wanted),
      ])
      return { ...page, total }
    })
  }
  return {
    ...chains,
    addAudit: (organizationId, entry) =>
      inTransaction(mongo, (collections, session) =>
        addAudit(collections, { organizationId, entry, session }),
      ),
    listAudit: (organizationId, request) =>
      turns.run(organizationId, () => listAudit(organizationId, request)),
  }
}

function toAuditEntry({ entry, seq, previous, hash }: AuditDocument): AuditEntry {
  return seq === undefined ? entry : { ...entry, seq, previous, hash }
}

function toChainedEntry(document: AuditDocument): AuditEntry {
  const { at, entry } = document
  const shown = toAuditEntry(document)
  return at === entry.at ? shown : { ...shown, at: `${entry.at} ${at}` }
}

function toFilter({ action, actor, invoiceId, network, device, ...between }: ListAuditRequest) {
  const { atFrom = '', atBefore = '~' } = between
  return {
    at: { $gte: atFrom, $lt: atBefore },
    ...(action !== undefined && { 'entry.action': prefixFilter(action) }),
    ...(actor !== undefined && { 'entry.actor': prefixFilter(actor) }),
    ...(invoiceId !== undefined && { 'entry.invoiceId': invoiceId }),
    ...(network !== undefined && { 'entry.network': network }),
    ...(device !== undefined && { 'entry.device': { $regex: literally(device), $options: 'i' } }),
  }
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
