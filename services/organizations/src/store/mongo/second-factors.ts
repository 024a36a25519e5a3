import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { isEnrolled, noFactors, type SecondFactors } from '../../second-factor/factors'
import { addAudit } from './audit'
import { openCollections, type Collections, type SecondFactorsDocument } from './collections'
import type { PrimaryLease } from './lease'
import { checkWriterIn, confirmSessionIn, isIdReplaced, openSessionIn, writeUser } from './sessions'
import { inTransaction } from './transaction'
import type { OrganizationStore, SecondFactorChange, Writer } from '../store'

type Factors = Pick<
  OrganizationStore,
  'findSecondFactors' | 'changeSecondFactors' | 'isSecondFactorRequired' | 'requireSecondFactor'
>

export function secondFactors(mongo: Mongo, lease: PrimaryLease): Factors {
  return {
    ...rules(mongo, lease),
    findSecondFactors: (userId) =>
      mongo.read(async (db) => {
        await lease.hold(db)
        const found = await openCollections(db).secondFactors.findOne({ _id: userId })
        return readFactors(found)
      }),
    async changeSecondFactors(by, userId, change) {
      const ended = { sessions: false }
      const isChanged = await inTransaction(mongo, async (collections, session) => {
        await checkWriterIn(collections, by, session)
        const { secondFactors } = collections
        // A concurrent removal of the user must conflict.
        if (!(await writeUser(collections, { id: userId }, session))) return false
        const found = await secondFactors.findOne({ _id: userId }, { session })
        const changed = change(readFactors(found))
        if (!changed) return false
        ended.sessions = changed.endsSessions === true || isIdReplaced(by, changed.confirmed)
        if (!(await apply(collections, { by, userId, changed, session }))) return false
        const { after } = changed
        const stored = { content: JSON.stringify(after), isEnrolled: isEnrolled(after) }
        await secondFactors.updateOne({ _id: userId }, { $set: stored }, { session, upsert: true })
        return true
      })
      if (isChanged && ended.sessions) await lease.outlast()
      return isChanged
    },
  }
}

function readFactors(document: SecondFactorsDocument | null): SecondFactors {
  return document ? (JSON.parse(document.content) as SecondFactors) : noFactors
}

interface Applied {
  by: Writer
  userId: string
  changed: SecondFactorChange
  session: mongo.ClientSession
}

async function apply(
  collections: Collections,
  { by, userId, changed, session }: Applied,
): Promise<boolean> {
  const { organizationId } = by
  const { sessions } = collections
  if (changed.session && !(await openSessionIn(collections, changed.session, session))) return false
  if (changed.endsSessions) await sessions.deleteMany({ userId }, { session })
  const { confirmed } = changed
  if (confirmed) await confirmSessionIn(collections, { by, confirmed, session })
  for (const entry of changed.audits) {
    await addAudit(collections, { organizationId, entry, session })
  }
  return true
}

function rules(
  mongo: Mongo,
  lease: PrimaryLease,
): Pick<Factors, 'isSecondFactorRequired' | 'requireSecondFactor'> {
  return {
    isSecondFactorRequired: (organizationId) =>
      mongo.read(async (db) => {
        const found = await openCollections(db).organizations.findOne({ _id: organizationId })
        return found?.requiresSecondFactor === true
      }),
    async requireSecondFactor(by, isRequired, entry) {
      await inTransaction(mongo, async (collections, session) => {
        const { organizationId } = by
        await checkWriterIn(collections, by, session)
        const other = {
          _id: organizationId,
          requiresSecondFactor: isRequired ? { $ne: true } : true,
        }
        const change = isRequired
          ? { $set: { requiresSecondFactor: true } }
          : { $unset: { requiresSecondFactor: true as const } }
        const { modifiedCount } = await collections.organizations.updateOne(other, change, {
          session,
        })
        if (modifiedCount > 0) await addAudit(collections, { organizationId, entry, session })
      })
      await lease.outlast()
    },
  }
}
