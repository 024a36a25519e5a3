import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { Service } from '@einvoicing/rpc/call'
import { callArchive, type CheckpointCalls } from '@einvoicing/rpc/checkpoint-archive'
import { startCheckpoints } from '@einvoicing/verification/audit/make-checkpoints'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import { startAnnouncer } from './announce-expiry'
import { createAttemptGuards } from './attempt-guards'
import { BatchedMoments } from './batched-moments'
import type { OrganizationsConfig } from './config'
import { createDemo, type DemoOrganization } from './demo'
import type { Deps } from './deps'
import { DigestRenewals } from './digest-renewals'
import { createCodeGuard } from './second-factor/code-guard'
import { openFactorKeys, type ReadFactorKeys } from './second-factor/keys'
import { startExpiry } from './expire-unverified'
import { FailedSignIns } from './failed-sign-ins'
import { LastUses } from './last-uses'
import { Mailer } from './mail/mailer'
import { watchMails } from './mail/watch-mails'
import { Passwords } from './password'
import { proveAtStart, provenBy, readPeppers } from './pepper'
import { createResetGuard } from './reset-guard'
import { organizationsHandlers } from './rpc/organizations'
import { createSignInGuard } from './sign-in-guard'
import { openStore } from './store/open-store'
import { watchPeppers } from './watch-peppers'

export interface Organizations {
  handlers: Service<OrganizationsService>
  /** Not an RPC. Does nothing if there is any organization already. */
  createDemo(): Promise<DemoOrganization | undefined>
  close(): Promise<void>
}

/** Throws `SettingsError` when store or pepper can never be used. */
export async function openOrganizations(
  config: OrganizationsConfig,
  { now, log, artefacts }: { now: Clock; log: Log; artefacts?: CheckpointCalls },
): Promise<Organizations> {
  const lines = await readPeppers(config.apiKeyPepperFile)
  const passwords = await Passwords.open()
  const store = await openStore(config.store, log)
  const peppers = provenBy(store, lines)
  let factorKeys: ReadFactorKeys
  try {
    factorKeys = await openFactorKeys(config.factorSecret, store)
    await proveAtStart(peppers)
  } catch (error) {
    await store.close()
    throw error
  }
  const deps = createDeps(config, { now, log, store, passwords, peppers, factorKeys })
  const watch = watchPeppers(deps)
  const checkpoints =
    artefacts &&
    startCheckpoints({
      auditLog: 'organizations',
      log,
      chains: store,
      now,
      archive: callArchive('organizations', artefacts),
    })
  const announcer = config.mail.transport && startAnnouncer(deps)
  const mailWatch = config.mail.transport && watchMails(deps)
  const expiry = deps.verifiesEmail ? startExpiry(deps) : undefined
  const check = async () => {
    await store.check()
    await peppers()
  }
  return {
    handlers: organizationsHandlers(deps, [{ name: config.store.kind, essential: true, check }]),
    createDemo: () => createDemo(deps),
    async close() {
      watch.close()
      mailWatch?.close()
      await closeInMemory(deps)
      const loops = [announcer, expiry, checkpoints, deps.mailer].filter((loop) => !!loop)
      await Promise.all(loops.map((loop) => loop.close()))
      await store.close()
    },
  }
}

/** What only memory holds: it is stored before the stop waits for outside servers. */
async function closeInMemory(deps: Deps): Promise<void> {
  const { failedSignIns, lastUses, sightings, renewals } = deps
  await Promise.all([failedSignIns, lastUses, sightings, renewals].map((one) => one.close()))
}

export function createDeps(
  { signUp, mail, sessionIdleMs }: OrganizationsConfig,
  parts: Pick<Deps, 'store' | 'passwords' | 'peppers' | 'factorKeys' | 'now' | 'log'>,
): Deps {
  const { store, now, log } = parts
  return {
    ...parts,
    signUp,
    verifiesEmail: mail.transport?.kind === 'smtp',
    sessionIdleMs,
    signInGuard: createSignInGuard(store),
    ...createAttemptGuards(store),
    resetGuard: createResetGuard(store, 'reset'),
    verificationGuard: createResetGuard(store, 'verification'),
    codeGuard: createCodeGuard(store),
    failedSignIns: new FailedSignIns(store, { now, log }),
    lastUses: new LastUses(store, log),
    renewals: new DigestRenewals(store, log),
    sightings: new BatchedMoments(
      'when sessions were last seen',
      (seen) => store.recordSeen(seen),
      { log, everyMs: 10_000 },
    ),
    mailer: new Mailer({ store, now, log, randomBytes, newId: uuidV7 }, mail),
    newId: uuidV7,
    randomBytes,
  }
}
