import type { X509Certificate } from 'node:crypto'
import { existsSync, promises as fs } from 'node:fs'
import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'

/**
 * The authorities of time stamps: those that the settings name, else those of the sandbox in the
 * data folder; `undefined` without either.
 */
export async function readTimeStampTrust(
  env: EnvReader,
): Promise<readonly X509Certificate[] | undefined> {
  const named = env.optionalText('TSA_TRUSTED_CERTIFICATES_FILE')
  if (named !== undefined) return readPemCertificates(await fs.readFile(named, 'utf8'))
  if (env.optionalText('TSA_URL') !== undefined) return undefined
  const sandbox = path.join(env.text('DATA_DIR', './data'), 'simulator', 'tsa-root.pem')
  if (!existsSync(sandbox)) return undefined
  return readPemCertificates(await fs.readFile(sandbox, 'utf8'))
}
