/** A change writes the organization, then reads its members: of two at once, one is repeated. */

import type { Mongo } from '@einvoicing/stores/mongo'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { Member } from '@einvoicing/proto/organizations'
import type { mongo } from 'mongoose'
import { withClient } from '../../session'
import { addAudit } from './audit'
import { toBytes } from './bytes'
import { openCollections, type Collections, type InvitationDocument } from './collections'
import type { PrimaryLease } from './lease'
import { checkWriterIn, insertSession, openSessionIn, writeMember, writeUser } from './sessions'
import { endMembership, joinIn } from './memberships'
import { inTransaction } from './transaction'
import { filterMembers, toDocument, toMember as toMemberUser } from './user-document'
import type { Invitation, ListedMember, OrganizationStore } from '../store'
import { unlessTaken } from '../unless-taken'

type Members = Pick<OrganizationStore, 'listMembers' | 'changeRole' | 'removeMember'>
type Invitations = Pick<OrganizationStore, 'invite' | 'findInvitation' | 'acceptInvitation'>

export function members(mongo: Mongo, lease: PrimaryLease): Members {
  return {
    listMembers: (organizationId) =>
      mongo.read((db) => everyone(openCollections(db), organizationId)),
    async changeRole(by, { id, role }, describe) {
      const { organizationId } = by
      const changed = await inTransaction(mongo, async (collections, session) => {
        await writeMember(collections, { organizationId, userId: id }, session)
        await checkWriterIn(collections, by, session)
        const all = await everyoneAlone(collections, organizationId, session)
        const before = all.find((one) => one.id === id)
        if (!before || before.role === role) return before
        if (isLastOwner(before, all)) return 'last-owner'
        const { users, invitations } = collections
        await users.updateOne({ organizationId, id }, { $set: { role } }, { session })
        const other = { id, 'others.organizationId': organizationId }
        await users.updateOne(other, { $set: { 'others.$.role': role } }, { session })
        await invitations.updateOne({ organizationId, id }, { $set: { role } }, { session })
        await addAudit(collections, { organizationId, entry: describe(before), session })
        return { ...before, role }
      })
      if (typeof changed === 'object') await lease.outlast()
      return changed
    },
    async removeMember(by, { id, opened }, describe) {
      const { organizationId } = by
      const removed = await inTransaction(mongo, async (collections, session) => {
        await writeMember(collections, { organizationId, userId: id }, session)
        await checkWriterIn(collections, by, session)
        const all = await everyoneAlone(collections, organizationId, session)
        const before = all.find((one) => one.id === id)
        if (!before) return undefined
        if (isLastOwner(before, all)) return 'last-owner'
        await endMembership(collections, { organizationId, userId: id, session })
        await collections.invitations.deleteOne({ organizationId, id }, { session })
        await addAudit(collections, { organizationId, entry: describe(before), session })
        if (opened && (await openSessionIn(collections, opened.session, session))) {
          const there = opened.session.organizationId
          await addAudit(collections, { organizationId: there, entry: opened.audit, session })
        }
        return before
      })
      if (typeof removed === 'object') await lease.outlast()
      return removed
    },
  }
}

export function invitations(mongo: Mongo): Invitations {
  return {
    invite: (by, { invitation, max }, entry) =>
      inTransaction(mongo, async (collections, session) => {
        const { organizationId, email } = invitation
        await checkWriterIn(collections, by, session)
        const all = await everyoneAlone(collections, organizationId, session)
        const earlier = all.find((one) => one.email === email)
        if (earlier && earlier.invitationExpiresAt === undefined) return 'email-taken'
        if (!earlier && all.length >= max) return 'too-many'
        if (earlier) {
          const { id } = earlier
          await collections.invitations.deleteOne({ organizationId, id }, { session })
        }
        const { id, createdAt } = earlier ?? invitation
        const document = { ...invitation, id, createdAt }
        const { digest, ...content } = document
        await collections.invitations.insertOne({ _id: digest, ...content }, { session })
        await addAudit(collections, { organizationId, entry, session })
        return document
      }),
    findInvitation: (digest) =>
      mongo.read(async (db) => {
        const found = await openCollections(db).invitations.findOne({ _id: digest })
        return found ? toInvitation(found) : undefined
      }),
    acceptInvitation: (digest, join) =>
      unlessTaken(
        isDuplicateKey,
        inTransaction(mongo, async (collections, session) => {
          const { invitations } = collections
          const known = await invitations.findOne({ _id: digest })
          if (!known) return undefined
          const { existing, user: account } = join(toInvitation(known))
          if (existing) await writeUser(collections, { id: account.id }, session)
          const { organizationId } = known
          await claim(collections, organizationId, session)
          const found = await invitations.findOne({ _id: digest }, { session })
          if (!found) return undefined
          const joining = join(toInvitation(found))
          const { user, session: opened, audit: entry } = joining
          const joined = { ...user, ...withClient(user, opened) }
          const problem = await joinIn(collections, joining, session)
          if (problem) return problem
          if (!joining.existing) {
            await collections.users.insertOne(toDocument(joined), { session })
          }
          await invitations.deleteOne({ _id: digest }, { session })
          await insertSession(collections, opened, session)
          await addAudit(collections, { organizationId, entry, session })
          const signedIn = joining.existing?.signedIn
          if (signedIn) {
            const there = signedIn.organizationId
            await addAudit(collections, { organizationId: there, entry: signedIn.audit, session })
          }
          return joined
        }),
      ),
  }
}

async function claim(
  { organizations }: Collections,
  organizationId: string,
  session: mongo.ClientSession,
): Promise<void> {
  await organizations.updateOne(
    { _id: organizationId },
    { $inc: { membersChanged: 1 } },
    { session },
  )
}

export async function everyoneAlone(
  collections: Collections,
  organizationId: string,
  session: mongo.ClientSession,
): Promise<Member[]> {
  await claim(collections, organizationId, session)
  return everyone(collections, organizationId, session)
}

async function everyone(
  { organizations, users, invitations }: Collections,
  organizationId: string,
  session?: mongo.ClientSession,
): Promise<ListedMember[]> {
  const within = session && { session }
  // The driver runs one operation at a time in a transaction.
  const organization = await organizations.findOne({ _id: organizationId }, within)
  const found = await users.find(filterMembers(organizationId), within).toArray()
  const invited = await invitations.find({ organizationId }, within).toArray()
  const joined = found.flatMap((document): ListedMember[] => {
    const user = toMemberUser(document, organizationId, organization?.createdAt)
    if (!user) return []
    const { id, email, role, createdAt, unverifiedSince } = user
    const listed = { id, email, role, createdAt }
    return [unverifiedSince === undefined ? listed : { ...listed, isUnverified: true }]
  })
  return [...joined.sort(oldestFirst), ...invited.map(toMember).sort(oldestFirst)]
}

function isLastOwner(member: Member, all: readonly Member[]): boolean {
  const owners = all.filter(
    ({ role, invitationExpiresAt }) => role === 'OWNER' && invitationExpiresAt === undefined,
  )
  return owners.length === 1 && owners[0]?.id === member.id
}

function oldestFirst(one: Member, other: Member): number {
  return one.createdAt + one.id < other.createdAt + other.id ? -1 : 1
}

function toMember({ id, email, role, createdAt, expiresAt }: InvitationDocument): Member {
  return { id, email, role, createdAt, invitationExpiresAt: expiresAt }
}

function toInvitation({ _id, ...content }: InvitationDocument): Invitation {
  const { id, organizationId, email, role, createdAt, expiresAt } = content
  const digest = Buffer.from(toBytes(_id))
  return { id, organizationId, email, role, digest, createdAt, expiresAt }
}
