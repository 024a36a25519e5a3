import type { Environment } from '@einvoicing/domain/environment'
import type { EnvReader } from '@einvoicing/runtime/env'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'

export interface TimeStampConfig {
  url: string
  /** PEM; absent only in the sandbox, whose root is read from its address. */
  trustedCertificatesFile: string | undefined
  policy: string | undefined
  user: { name: string; passwordFile: string } | undefined
  hash: HashName
}

export interface TimeStampDefaults {
  environment: Environment
  sandboxUrl?: string | undefined
}

/** `undefined` without an authority and without a sandbox. */
export function readTimeStampConfig(
  env: EnvReader,
  { environment, sandboxUrl }: TimeStampDefaults,
): TimeStampConfig | undefined {
  const url = readUrl(env) ?? sandboxUrl
  const trustedCertificatesFile = env.optionalText('TSA_TRUSTED_CERTIFICATES_FILE')
  const policy = env.optionalText('TSA_POLICY')
  const user = readUser(env)
  const hash = env.oneOf('TSA_HASH', ['sha256', 'sha512'] as const, 'sha256')
  if (url === undefined) return undefined
  if (trustedCertificatesFile === undefined && environment === 'live') {
    env.addError(
      'TSA_TRUSTED_CERTIFICATES_FILE is not set: name the PEM file of the authorities that issue the certificate of TSA_URL',
      undefined,
    )
  }
  if (policy !== undefined && !/^[0-2](\.\d{1,15}){1,30}$/.test(policy)) {
    env.addError('TSA_POLICY must be an object identifier, such as 1.3.6.1.4.1.32473.1', undefined)
  }
  return { url, trustedCertificatesFile, policy, user, hash }
}

function readUrl(env: EnvReader): string | undefined {
  const url = env.optionalUrl('TSA_URL', ['http', 'https'])
  if (url === undefined) return undefined
  // The value is not logged: it may hold a password.
  if (!URL.canParse(url)) env.addError('TSA_URL must be http://… or https://…', undefined)
  if (url.includes('@')) {
    env.addError(
      'TSA_URL must not contain a user or password: set TSA_USERNAME and TSA_PASSWORD_FILE',
      undefined,
    )
  }
  return url
}

function readUser(env: EnvReader): TimeStampConfig['user'] {
  const name = env.optionalText('TSA_USERNAME')
  const passwordFile = env.secretFile('TSA_PASSWORD_FILE')
  if (name === undefined && passwordFile === undefined) return undefined
  if (name !== undefined && passwordFile !== undefined) return { name, passwordFile }
  env.addError('TSA_USERNAME and TSA_PASSWORD_FILE go together', undefined)
  return undefined
}
