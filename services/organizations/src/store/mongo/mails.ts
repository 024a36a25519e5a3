import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import type { DueMail, Mail } from '../../mail/mail'
import { openCollections, type Collections } from './collections'
import type { OrganizationStore } from '../store'

type Mails = Pick<OrganizationStore, 'addMail' | 'takeMails' | 'finishMail' | 'postponeMail'>

export async function insertMail(
  { mails }: Collections,
  mail: Mail,
  session?: mongo.ClientSession,
): Promise<void> {
  const document = { _id: mail.id, mail, attempts: 0, nextAttemptAt: mail.createdAt }
  await mails.insertOne(document, session && { session })
}

export function mails(mongo: Mongo): Mails {
  const claimOne = (now: string, leaseUntil: string) =>
    mongo.write((db) =>
      openCollections(db).mails.findOneAndUpdate(
        { nextAttemptAt: { $lte: now } },
        { $set: { nextAttemptAt: leaseUntil } },
        { sort: { nextAttemptAt: 1 } },
      ),
    )
  return {
    addMail: (mail) => mongo.write((db) => insertMail(openCollections(db), mail)),
    async takeMails({ now, leaseUntil, count }) {
      const taken: DueMail[] = []
      while (taken.length < count) {
        const found = await claimOne(now, leaseUntil)
        if (!found) break
        taken.push({ ...found.mail, attempts: found.attempts })
      }
      return taken
    },
    finishMail: (id) =>
      mongo.write(async (db) => {
        await openCollections(db).mails.deleteOne({ _id: id })
      }),
    postponeMail: (id, change) =>
      mongo.write(async (db) => {
        await openCollections(db).mails.updateOne({ _id: id }, { $set: change })
      }),
  }
}
