/** The organizations service put together. */

import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { Clock } from '@einvoicing/kernel/clock'
import type { Log } from '@einvoicing/kernel/log'
import type { Service } from '@einvoicing/kernel/rpc'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { OrganizationsConfig } from './config'
import { createDemo, type DemoOrganization } from './demo'
import type { Deps } from './deps'
import { LastUses } from './last-uses'
import { Passwords } from './password'
import { provePepper, readPepper } from './pepper'
import { organizationsHandlers } from './rpc/organizations'
import { createSignInGuard } from './sign-in-guard'
import { createSignUpGuard } from './sign-up-guard'
import { openSqliteStore } from './store/sqlite'

export interface Organizations {
  handlers: Service<OrganizationsService>
  /**
   * For the composition root alone, on no wire. Does nothing where there is any organization
   * already.
   */
  createDemo(): Promise<DemoOrganization | undefined>
  close(): Promise<void>
}

/**
 * Throws `SettingsError` with one sentence for the operator when store or pepper cannot be used.
 */
export async function openOrganizations(
  config: OrganizationsConfig,
  given: { now: Clock; log: Log },
): Promise<Organizations> {
  const { now, log } = given
  const pepper = await readPepper(config.apiKeyPepperFile)
  const passwords = await Passwords.open()
  const store = openSqliteStore(config.store.file)
  await provePepper(store, pepper)
  const lastUses = new LastUses(store, log)
  const deps: Deps = {
    store,
    signUp: config.signUp,
    pepper,
    passwords,
    signInGuard: createSignInGuard(now),
    signUpGuard: createSignUpGuard(now),
    lastUses,
    newId: uuidV7,
    randomBytes,
    now,
    log,
  }
  return {
    handlers: organizationsHandlers(deps, [
      { name: config.store.kind, essential: true, check: () => store.check() },
    ]),
    createDemo: () => createDemo(deps),
    async close() {
      await lastUses.close()
      await store.close()
    },
  }
}
