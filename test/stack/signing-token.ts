/**
 * A token with a signing key in it, made as an operator makes one, and the settings that name it.
 */

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeSoftHsmToken, type SoftHsmToken } from '@einvoicing/servers/soft-hsm'

const run = promisify(execFile)
const command = path.join(__dirname, '../../deploy/admin/dist/main.js')

export interface SigningToken extends SoftHsmToken {
  settings: Readonly<Record<string, string>>
  /** PEM of the authority that certified the key. */
  authorityFile: string
}

export async function makeSigningToken(): Promise<SigningToken> {
  const token = await makeSoftHsmToken()
  const authorityFolder = path.join(path.dirname(token.pinFile), 'authority')
  const settings = {
    ...token.env,
    PKCS11_MODULE: token.module,
    PKCS11_TOKEN_LABEL: token.tokenLabel,
    PKCS11_KEY_LABEL: 'invoices',
    PKCS11_PIN_FILE: token.pinFile,
  }
  await run(process.execPath, [command, 'key', 'self-certify'], {
    env: { ...settings, DATA_DIR: authorityFolder },
    timeout: 30_000,
  })
  const authorityFile = path.join(authorityFolder, 'signer', 'trusted-certificate.pem')
  return { ...token, settings, authorityFile }
}
