/**
 * Where the signer's key is: in the token whose PKCS#11 module was given, or in a SoftHSM token
 * made here with a key of its own. Without SoftHSM it is a file, with a warning.
 */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '@einvoicing/runtime/log'
import { findSoftHsm, makeSoftHsmToken } from '@einvoicing/servers/soft-hsm'
import type { BackingService } from './config'
import type { Secrets } from './secrets'

const run = promisify(execFile)
const keyLabel = 'invoices'
const madeWithinMs = 30_000

export interface KeyPlace {
  dataDir: string
  secrets: Secrets
  external: ReadonlySet<BackingService>
  environment: Readonly<Record<string, string>>
  log: Log
}

/** Settings for the signer alone. */
export async function openSigningKey(place: KeyPlace): Promise<Record<string, string>> {
  const { dataDir, external, log } = place
  // An authority of our own, where there is one, lies in the data folder whatever holds the key.
  if (external.has('pkcs11')) return { DATA_DIR: dataDir }
  if (findSoftHsm() !== undefined) return openToken(place)
  log.warn('SoftHSM is missing (npm run provision): the signing key is a file, not in a token')
  return { DATA_DIR: dataDir }
}

async function openToken({
  dataDir,
  secrets,
  environment,
}: KeyPlace): Promise<Record<string, string>> {
  const pin = readFileSync(secrets.tokenPinFile, 'utf8').trim()
  const token = await makeSoftHsmToken({ folder: path.join(dataDir, 'pkcs11'), pin })
  const settings = {
    ...token.env,
    DATA_DIR: dataDir,
    PKCS11_MODULE: token.module,
    PKCS11_TOKEN_LABEL: token.tokenLabel,
    PKCS11_KEY_LABEL: keyLabel,
    PKCS11_PIN_FILE: token.pinFile,
  }
  const admin = require.resolve('@einvoicing/admin/main')
  await run(process.execPath, [admin, 'key', 'self-certify'], {
    env: { ...environment, ...settings },
    timeout: madeWithinMs,
  })
  return settings
}
