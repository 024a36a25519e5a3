/**
 * Settings of the organizations service. Only a composition root calls this: nothing else reads an
 * environment.
 */

import path from 'node:path'
import type { EnvReader } from '@einvoicing/kernel/env'

export interface OrganizationsConfig {
  store: { kind: 'sqlite'; file: string }
  /** Whether strangers may make themselves an organization. */
  signUp: 'open' | 'closed'
  /**
   * Holds the secret that API key digests are keyed with, so that a stolen store alone tells
   * nothing.
   */
  apiKeyPepperFile?: string | undefined
}

export function readOrganizationsConfig(env: EnvReader, dataDir: string): OrganizationsConfig {
  return {
    store: { kind: 'sqlite', file: path.join(dataDir, 'organizations.db') },
    signUp: env.oneOf('SIGNUP', ['open', 'closed'], 'open'),
    apiKeyPepperFile: env.optionalText('API_KEY_PEPPER_FILE'),
  }
}
