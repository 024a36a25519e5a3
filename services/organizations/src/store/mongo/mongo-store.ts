/** `lease.ts` proves the primary, so that a key revoked by one process is revoked in all. */

import { openMongo, type Mongo, type MongoTimes } from '@einvoicing/stores/mongo'
import type { MongoConfig } from '@einvoicing/stores/mongo-config'
import { isDuplicateKey } from '@einvoicing/stores/mongo-failures'
import type { Log } from '@einvoicing/runtime/log'
import { apiKeys } from './api-keys'
import { attempts } from './attempts'
import { audits, organizationChain, startAuditLinker } from './audit'
import { openCollections, migrations } from './collections'
import { emailChanges } from './email-changes'
import { emailLinks } from './email-links'
import { invitations, members } from './members'
import { mails } from './mails'
import { memberships } from './memberships'
import { PrimaryLease } from './lease'
import { organizations } from './organizations'
import { passwordResets } from './password-resets'
import { secondFactors } from './second-factors'
import { sessions } from './sessions'
import { what } from './transaction'
import { unverified } from './unverified'
import { users } from './users'
import type { OrganizationStore } from '../store'

/** Throws `SettingsError` when MongoDB can never be used; waits for one that is unavailable. */
export async function openMongoStore(
  config: MongoConfig,
  log: Log,
  times?: Partial<MongoTimes>,
): Promise<OrganizationStore> {
  const mongo = await openMongo(config, { what, migrations, log, times })
  const lease = new PrimaryLease()
  const chain = organizationChain(mongo)
  const linker = startAuditLinker(mongo, chain, log)
  return {
    ...organizations(mongo, lease),
    ...users(mongo, lease),
    ...sessions(mongo, lease),
    ...memberships(mongo, lease),
    ...members(mongo, lease),
    ...invitations(mongo),
    ...apiKeys(mongo, lease),
    ...audits(mongo, chain),
    ...attempts(mongo),
    ...passwordResets(mongo, lease),
    ...emailLinks(mongo),
    ...emailChanges(mongo),
    ...unverified(mongo, lease),
    ...secondFactors(mongo, lease),
    ...mails(mongo),
    remembered: (name) =>
      mongo.read(async (db) => {
        return (await openCollections(db).remembered.findOne({ _id: name }))?.value
      }),
    rememberFirst: (name, value) => rememberFirst(mongo, name, value),
    check: () => mongo.check(),
    async close() {
      await linker.close()
      await mongo.close()
    },
  }
}

function rememberFirst(mongo: Mongo, name: string, value: string): Promise<string> {
  return mongo.write(async (db) => {
    const { remembered } = openCollections(db)
    const first = { $setOnInsert: { value } }
    const insert = () =>
      remembered.findOneAndUpdate({ _id: name }, first, { upsert: true, returnDocument: 'after' })
    // One of two concurrent inserts fails, and reads the other's value.
    const inserted = await insert().catch((error: unknown) => {
      if (isDuplicateKey(error)) return insert()
      throw error
    })
    return inserted?.value ?? value
  })
}
