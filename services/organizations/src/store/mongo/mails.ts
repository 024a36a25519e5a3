import type { Mongo } from '@einvoicing/stores/mongo'
import type { mongo } from 'mongoose'
import { isLink, noHorizon, type DueMail, type DueMails, type Mail } from '../../mail/mail'
import { openCollections, type Collections } from './collections'
import type { OrganizationStore } from '../store'

type Mails = Pick<
  OrganizationStore,
  'addMail' | 'takeMails' | 'oldestMail' | 'finishMail' | 'postponeMail'
>

export async function insertMails(
  { mails: all }: Collections,
  mails: readonly Mail[],
  { organizationId = '', session }: { organizationId?: string; session?: mongo.ClientSession },
): Promise<void> {
  if (mails.length === 0) return
  const within = session && { session }
  const latest = { ...within, sort: { turn: -1 }, projection: { turn: 1 } } as const
  let { turn = 0 } = (mails.some(isNotice) && (await all.findOne({ organizationId }, latest))) || {}
  const documents = mails.map((mail) => ({
    _id: mail.id,
    mail,
    attempts: 0,
    nextAttemptAt: mail.createdAt,
    ...(isNotice(mail) ? { organizationId, turn: (turn += 1) } : { turn: 0 }),
  }))
  await all.insertMany(documents, within)
}

const isNotice = (mail: Mail) => !isLink(mail)

export function mails(mongo: Mongo): Mails {
  // Processes of earlier versions store mails without a turn, which sort before the links'.
  const completeTurns = () =>
    mongo.write((db) =>
      openCollections(db).mails.updateMany({ turn: null as never }, { $set: { turn: 0 } }),
    )
  const claimOne = ({ now, horizon = noHorizon, leaseUntil }: DueMails) =>
    mongo.write((db) =>
      openCollections(db).mails.findOneAndUpdate(
        { nextAttemptAt: { $not: { $gt: now, $lte: horizon } } },
        { $set: { nextAttemptAt: leaseUntil } },
        { sort: { turn: 1, nextAttemptAt: 1 } },
      ),
    )
  return {
    addMail: (mail) => mongo.write((db) => insertMails(openCollections(db), [mail], {})),
    async takeMails(due) {
      await completeTurns()
      const taken: DueMail[] = []
      try {
        while (taken.length < due.count) {
          const found = await claimOne(due)
          if (!found) break
          taken.push({ ...found.mail, attempts: found.attempts })
        }
      } catch (error) {
        // Those that are claimed would otherwise wait until their lease ends.
        if (taken.length === 0) throw error
      }
      return taken
    },
    oldestMail: () =>
      mongo.read(async (db) => {
        // Their ids begin with their time.
        const oldest = await openCollections(db).mails.findOne({}, { sort: { _id: 1 } })
        return oldest?.mail.createdAt
      }),
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
