// A stolen secret of a pair is valid for that pair only. The older `CALLER_SECRET_FILE` is one for
// all services: both are set while pairs are introduced.

import path from 'node:path'
import type { JwtPayload } from 'jsonwebtoken'
import { SettingsError, type EnvReader } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import {
  readSecretLines,
  secretLengthMin,
  warnOfOpenSecrets,
  type Secrets,
} from '@einvoicing/runtime/secret-file'
import { Remembered } from './remembered'
import type { ServiceName } from './service-name'
import { tokenKeys, type TokenKeys } from '@einvoicing/access/token-keys'
import { pairs as allPairs, type Pair } from './who-may-call'

export type CallerTokens = Partial<Record<'caller' | 'caller-pair', string | undefined>>

export interface CallerSecrets {
  shared?: Secrets | undefined
  /** By the other service of the pair. */
  pairs?: ReadonlyMap<ServiceName, Secrets> | undefined
}

export interface CallerKeys {
  shared: TokenKeys | undefined
  pairs: ReadonlyMap<ServiceName, TokenKeys>
  signed: Remembered<CallerTokens>
  verified: Remembered<JwtPayload>
}

const rememberedMax = 5_000

export function callerKeys({ shared, pairs = new Map() }: CallerSecrets): CallerKeys {
  const keys = [...pairs].map(([peer, secrets]) => [peer, tokenKeys(secrets)] as const)
  return {
    shared: shared && tokenKeys(shared),
    pairs: new Map(keys),
    signed: new Remembered(rememberedMax),
    verified: new Remembered(rememberedMax),
  }
}

export function callerKeysFor(
  { pairs, shared }: CallerKeys,
  peer: ServiceName,
): { pair: TokenKeys | undefined; shared: TokenKeys | undefined } {
  return { pair: pairs.get(peer), shared }
}

export function secretFileName({ caller, called }: Pair): string {
  return `caller-${caller}-${called}`
}

export interface CallerSecretsConfig {
  directory: string | undefined
  sharedFile: string | undefined
}

export function readCallerSecretsConfig(env: EnvReader): CallerSecretsConfig {
  const directory = env.secretFolder('CALLER_SECRETS_DIR')
  const sharedFile = env.secretFile('CALLER_SECRET_FILE')
  if (!directory && !sharedFile) {
    env.addError(
      `CALLER_SECRETS_DIR is not set: name a folder with one file for each service that this one calls or is called by, such as caller-gateway-invoices; each holds a secret of at least ${secretLengthMin} characters`,
      undefined,
    )
  }
  return { directory, sharedFile }
}

/** Throws `SettingsError` naming every invalid file. */
export async function readCallerSecrets(
  name: ServiceName,
  { directory, sharedFile }: CallerSecretsConfig,
  log: Log,
): Promise<CallerSecrets> {
  const shared = sharedFile ? await readSecretLines('CALLER_SECRET_FILE', sharedFile) : undefined
  if (directory === undefined) {
    log.warn(
      'CALLER_SECRET_FILE is one secret for all services, so its holder can act as any of them: use CALLER_SECRETS_DIR',
    )
    return { shared }
  }
  const pairs = new Map<ServiceName, Secrets>()
  const errors: string[] = []
  for (const pair of allPairs) {
    if (pair.caller !== name && pair.called !== name) continue
    const peer = pair.caller === name ? pair.called : pair.caller
    const file = path.join(directory, secretFileName(pair))
    try {
      pairs.set(peer, await readSecretLines('CALLER_SECRETS_DIR', file))
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      errors.push(...error.messages)
    }
    await warnOfOpenSecrets(new Map([['CALLER_SECRETS_DIR', file]]), log)
  }
  if (errors.length > 0) throw new SettingsError(errors)
  if (shared)
    log.warn('CALLER_SECRET_FILE is still accepted in addition to CALLER_SECRETS_DIR: unset it')
  return { shared, pairs }
}
