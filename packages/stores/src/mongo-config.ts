// Apart from the connection, so that reading settings does not load the driver.

import type { EnvReader } from '@einvoicing/runtime/env'

export interface MongoConfig {
  kind: 'mongodb'
  url: string
  /** Put into the URL when it is opened; settings never hold it. */
  passwordFile?: string | undefined
}

export const databaseDefault = 'einvoicing'

// scheme://user:password@hosts/database?options
const urlParts =
  /^(mongodb(?:\+srv)?:\/\/)(?:([^:@/]*)(?::([^@/]*))?@)?[^/?]+(?:\/([^?]*))?(?:\?(.*))?$/i

export function readMongoConfig(env: EnvReader): MongoConfig | undefined {
  const url = env.optionalUrl('MONGODB_URL', ['mongodb', 'mongodb+srv'])
  const passwordFile = env.secretFile('MONGODB_PASSWORD_FILE')
  if (url === undefined) {
    if (env.optionalText('MONGODB_URL')) return { kind: 'mongodb', url: '', passwordFile }
    if (passwordFile !== undefined) {
      env.addError(
        'MONGODB_PASSWORD_FILE is set but MONGODB_URL is not: set both or none',
        undefined,
      )
    }
    return undefined
  }
  for (const problem of findUriErrors(url, passwordFile)) env.addError(problem, undefined)
  return { kind: 'mongodb', url, passwordFile }
}

function findUriErrors(url: string, passwordFile: string | undefined): string[] {
  const [, , user, password, , options = ''] = urlParts.exec(url) ?? []
  const problems: string[] = []
  if (passwordFile !== undefined && !user) {
    problems.push(
      'MONGODB_PASSWORD_FILE is set but MONGODB_URL names no user: write mongodb://USER@…',
    )
  }
  if (password !== undefined) {
    problems.push(
      'MONGODB_URL must not contain a password: write it to a file and set MONGODB_PASSWORD_FILE',
    )
  }
  const needsPassword = user && password === undefined && !/(^|&)authMechanism=/i.test(options)
  if (needsPassword && passwordFile === undefined) {
    problems.push(
      'MONGODB_URL names a user but no password: write the password to a file and set MONGODB_PASSWORD_FILE',
    )
  }
  if (/(^|&)directConnection=true/i.test(options)) {
    problems.push(
      'MONGODB_URL says directConnection=true, which loses the replica set at its first election: leave it out',
    )
  }
  return problems
}

export function databaseName({ url }: MongoConfig): string {
  const [, , , , database = ''] = urlParts.exec(url) ?? []
  return decodeURIComponent(database) || databaseDefault
}

export function withPassword(url: string, password: string): string {
  return url.replace(/@/, `:${encodeURIComponent(password)}@`)
}
