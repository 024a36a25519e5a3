import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { Approval } from '@einvoicing/domain/approval'
import type { mongo } from 'mongoose'
import { withClient } from '../../session'
import { issuing } from '../issuing'
import { addAudit } from './audit'
import { openCollections, type Collections, type OrganizationDocument } from './collections'
import type { PrimaryLease } from './lease'
import { checkWriterIn, insertSession } from './sessions'
import { inTransaction } from './transaction'
import { toDocument } from './user-document'
import type { NewOrganization, OrganizationStore, StoredOrganization, Writer } from '../store'
import { unlessTaken } from '../unless-taken'

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

export function organizations(mongo: Mongo, lease: PrimaryLease): Organizations {
  const find = (id: string) =>
    mongo.read(async (db) => {
      const found = await openCollections(db).organizations.findOne({ _id: id })
      return found ? toOrganization(found) : undefined
    })
  return {
    hasOrganizations: () =>
      mongo.read(async (db) => {
        const any = { projection: { _id: 1 }, hint: { _id: 1 } } as const
        return (await openCollections(db).organizations.findOne({}, any)) !== null
      }),
    addOrganization: (organization, entry) =>
      unlessTaken(isDuplicateKey, addOrganization(mongo, organization, entry)),
    findMentions: async (organizationId) => (await find(organizationId))?.mentions,
    findOrganization: find,
    listOrganizations: ({ approval, after, count }) =>
      mongo.read(async (db) => {
        const open = { _id: { $gt: after }, closedAt: { $exists: false } }
        const wanted = { ...open, ...(approval && approvalFilter(approval)) }
        const found = openCollections(db).organizations.find(wanted).sort({ _id: 1 })
        return (await found.limit(count).toArray()).map(toOrganization)
      }),
    listByIce: (ice, count) =>
      mongo.read(async (db) => {
        const { organizations: all } = openCollections(db)
        const options = { projection: { _id: 1 as const }, sort: { _id: 1 as const }, limit: count }
        const former = { formerIces: ice, 'mentions.ice': { $ne: ice } }
        const found: { _id: string }[] = []
        for (const approval of issuing) {
          for (const some of [{ 'mentions.ice': ice }, former]) {
            if (found.length >= count) break
            const of = { ...some, approval: approval ?? { $exists: false } }
            found.push(...(await all.find(of, options).toArray()))
          }
        }
        return found.slice(0, count).map(({ _id }) => _id)
      }),
    async decideApproval({ organizationId }, approval, describe) {
      const outcome = await decideApproval(mongo, { organizationId, approval, describe })
      if (outcome === 'decided') await lease.outlast()
      return outcome
    },
    replaceMentions: (by, change, describe) => replaceMentions(mongo, { by, ...change, describe }),
  }
}

/** Without approval an organization counts as approved. */
const approvalFilter = (approval: Approval) =>
  approval === 'APPROVED' ? { $or: [{ approval }, { approval: { $exists: false } }] } : { approval }

function addOrganization(
  mongo: Mongo,
  { id, mentions, createdAt, approval, user, session: opened }: NewOrganization,
  entry: Parameters<Organizations['addOrganization']>[1],
): Promise<'added'> {
  return inTransaction(mongo, async (collections, session) => {
    const added = { ...user, ...(opened && withClient(user, opened)) }
    await collections.users.insertOne(toDocument(added), { session })
    if (opened) await insertSession(collections, opened, session)
    const organization = {
      _id: id,
      mentions,
      createdAt,
      keysMade: 0,
      ...(approval && { approval }),
    }
    await collections.organizations.insertOne(organization, { session })
    await addAudit(collections, { organizationId: id, entry, session })
    return 'added' as const
  })
}

interface Decision {
  organizationId: string
  approval: 'APPROVED' | 'SUSPENDED'
  describe: Parameters<Organizations['decideApproval']>[2]
}

function decideApproval(
  mongo: Mongo,
  { organizationId, approval, describe }: Decision,
): ReturnType<Organizations['decideApproval']> {
  return inTransaction(mongo, async (collections, session) => {
    const { organizations, apiKeys } = collections
    const before = await findAlone(collections, organizationId, session)
    if (!before) return 'unknown'
    const entry = describe(before)
    const { ice } = before.mentions
    const held = { ice, organizationId }
    const taken = approval === 'APPROVED' ? await holdIce(collections, held, session) : undefined
    if (taken !== undefined) return { taken }
    if (approval !== 'APPROVED') await releaseIce(collections, held, session)
    const decided = { $set: { approval } }
    await organizations.updateOne({ _id: organizationId }, decided, { session })
    await apiKeys.updateMany({ organizationId, live: true }, decided, { session })
    await addAudit(collections, { organizationId, entry, session })
    return 'decided'
  })
}

/** Other transactions cannot change it until this one ends. */
export async function findAlone(
  { organizations }: Collections,
  _id: string,
  session: mongo.ClientSession,
): Promise<StoredOrganization | undefined> {
  const found = await organizations.findOneAndUpdate(
    { _id },
    { $inc: { keysMade: 1 } },
    { session },
  )
  return found ? toOrganization(found) : undefined
}

type Replacing = Parameters<Organizations['replaceMentions']>[1] & {
  by: Writer
  describe: Parameters<Organizations['replaceMentions']>[2]
}

function replaceMentions(
  mongo: Mongo,
  { by, mentions, isIceChecked = false, describe }: Replacing,
): ReturnType<Organizations['replaceMentions']> {
  return inTransaction(mongo, async (collections, session) => {
    const { organizationId } = by
    await checkWriterIn(collections, by, session)
    const before = await findAlone(collections, organizationId, session)
    if (!before) return false
    const entry = describe(before.mentions, before.approval)
    const { ice } = mentions
    const holdsIce = before.approval === 'APPROVED'
    if (ice !== before.mentions.ice && (holdsIce || isIceChecked)) {
      const taken = holdsIce
        ? await moveIce(collections, before, { ice, session })
        : await lookForHolder(collections, { ice, organizationId }, session)
      if (taken !== undefined) return 'ice-taken'
    }
    const changed = { $set: { mentions } }
    const former = before.mentions.ice
    const formerIces = { $each: [former], $slice: -formerIcesMax }
    const isFormer = former !== '' && former !== ice
    await collections.organizations.updateOne(
      { _id: organizationId },
      { ...changed, ...(isFormer && { $push: { formerIces } }) },
      { session },
    )
    const itsKeys = { organizationId, live: true }
    await collections.apiKeys.updateMany(itsKeys, changed, { session })
    await addAudit(collections, { organizationId, entry, session })
    return true
  })
}

/** Only one that has signed nothing yet can change it often. */
const formerIcesMax = 100

interface Held {
  ice: string
  organizationId: string
}

/** Two checks at once conflict. */
async function lookForHolder(
  { heldIces }: Collections,
  { ice, organizationId }: Held,
  session: mongo.ClientSession,
): Promise<string | undefined> {
  if (ice === '') return undefined
  const looked = { $inc: { looks: 1 } }
  const options = { session, upsert: true, returnDocument: 'after' } as const
  const held = await heldIces.findOneAndUpdate({ _id: ice }, looked, options)
  return held?.organizationId === organizationId ? undefined : held?.organizationId
}

/** Returns another organization that has it and is approved. */
async function holdIce(
  collections: Collections,
  { ice, organizationId }: Held,
  session: mongo.ClientSession,
): Promise<string | undefined> {
  const holder = await lookForHolder(collections, { ice, organizationId }, session)
  if (holder !== undefined) return holder
  const counted = {
    'mentions.ice': ice,
    _id: { $ne: organizationId },
    approval: { $exists: false },
  }
  const other = await collections.organizations.findOne(counted, { session })
  if (other) return other._id
  const held = { $set: { organizationId } }
  await collections.heldIces.updateOne({ _id: ice }, held, { session })
  return undefined
}

async function moveIce(
  collections: Collections,
  { id: organizationId, mentions }: StoredOrganization,
  { ice, session }: { ice: string; session: mongo.ClientSession },
): Promise<string | undefined> {
  const taken = await holdIce(collections, { ice, organizationId }, session)
  if (taken !== undefined) return taken
  await releaseIce(collections, { ice: mentions.ice, organizationId }, session)
  return undefined
}

async function releaseIce(
  { heldIces }: Collections,
  { ice, organizationId }: Held,
  session: mongo.ClientSession,
): Promise<void> {
  await heldIces.deleteOne({ _id: ice, organizationId }, { session })
}

function toOrganization(document: OrganizationDocument): StoredOrganization {
  const { _id: id, mentions, createdAt, approval } = document
  return { id, mentions, createdAt, approval }
}
