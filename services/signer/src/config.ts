import { join } from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import { trustedCertificateFileIn } from './keys/authority'
import type { Pkcs11KeyConfig } from './keys/pkcs11'
import { keyAlgorithms, type KeyAlgorithm } from './keys/signing-key'
import type { SoftwareKeyConfig } from './keys/software'

export type SignerConfig = SoftwareKeyConfig | Pkcs11KeyConfig

/** `SIGNER_KEY_ALGORITHM` applies to a key file made on first start. */
export function readSignerConfig(env: EnvReader, dataDir: string | undefined): SignerConfig {
  const algorithm = env.oneOf('SIGNER_KEY_ALGORITHM', keyAlgorithms, 'ecp256')
  const token = readTokenConfig(env, dataDir)
  if (token) return token
  if (dataDir === undefined) {
    env.addError(
      'PKCS11_MODULE is not set: set it to the library of the token with the signing key, or set DATA_DIR to store a key in a file there',
      undefined,
    )
  }
  return { kind: 'software', directory: signerFolder(dataDir ?? ''), algorithm }
}

function readTokenConfig(env: EnvReader, dataDir: string | undefined): Pkcs11KeyConfig | undefined {
  const module = env.optionalText('PKCS11_MODULE')
  const tokenLabel = env.optionalText('PKCS11_TOKEN_LABEL')
  const pinFile = env.secretFile('PKCS11_PIN_FILE')
  const label = env.optionalText('PKCS11_KEY_LABEL')
  const id = env.optionalText('PKCS11_KEY_ID')?.toLowerCase()
  const certificateFile = env.optionalText('PKCS11_CERTIFICATE_FILE')
  const sessions = env.integer('PKCS11_SESSIONS', 4, { min: 1, max: 64 })
  if ([module, tokenLabel, pinFile, label, id, certificateFile].every((x) => x === undefined)) {
    return undefined
  }
  const needed = (value: string | undefined, name: string, what: string) =>
    value ?? env.addError(`${name} is not set: a key in a token needs ${what}`, '')
  needed(label ?? id, 'PKCS11_KEY_LABEL', 'its label, or PKCS11_KEY_ID, or both')
  if (id !== undefined && !/^([0-9a-f]{2})+$/.test(id)) {
    env.addError(
      'PKCS11_KEY_ID must be the CKA_ID of the key in hexadecimal, as in 01ab',
      undefined,
    )
  }
  return {
    kind: 'pkcs11',
    module: needed(module, 'PKCS11_MODULE', "the path of its vendor's PKCS#11 library"),
    pinFile: needed(pinFile, 'PKCS11_PIN_FILE', 'a file with its user PIN'),
    token: {
      tokenLabel: needed(tokenLabel, 'PKCS11_TOKEN_LABEL', 'the label of its token'),
      key: { label, id },
      sessions,
      certificateFile,
    },
    trustedCertificateFile: dataDir && trustedCertificateFileIn(signerFolder(dataDir)),
  }
}

export interface KeyCommandConfig {
  key: Pkcs11KeyConfig
  algorithm: KeyAlgorithm
  authorityDirectory: string
}

export function readKeyCommandConfig(env: EnvReader): KeyCommandConfig {
  const dataDir = env.text('DATA_DIR', './data')
  const algorithm = env.oneOf('SIGNER_KEY_ALGORITHM', keyAlgorithms, 'ecp256')
  const key = readTokenConfig(env, dataDir)
  if (!key) env.addError('PKCS11_MODULE is not set: name the library of the token', undefined)
  env.throwErrors()
  return { key: key as Pkcs11KeyConfig, algorithm, authorityDirectory: signerFolder(dataDir) }
}

function signerFolder(dataDir: string): string {
  return join(dataDir, 'signer')
}
