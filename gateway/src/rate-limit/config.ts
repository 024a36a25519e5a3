import type { EnvReader } from '@einvoicing/runtime/env'

export type RateLimitConfig =
  | { kind: 'memory' }
  | { kind: 'redis'; url: string; passwordFile: string | undefined }

export function readRateLimitConfig(env: EnvReader): RateLimitConfig {
  const url = env.optionalUrl('REDIS_URL', ['redis', 'rediss'])
  const passwordFile = env.secretFile('REDIS_PASSWORD_FILE')
  if (url !== undefined) {
    const problem = findUrlError(url)
    if (problem !== undefined) env.addError(problem, undefined)
    return { kind: 'redis', url, passwordFile }
  }
  if (passwordFile !== undefined && env.optionalText('REDIS_URL') === undefined) {
    env.addError('REDIS_PASSWORD_FILE is set but REDIS_URL is not: set both or neither', undefined)
  }
  return { kind: 'memory' }
}

// The message never repeats the URL: it may hold a password.
function findUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'REDIS_URL must name one server: redis://host:port'
  const { hostname, pathname, search, hash, password } = new URL(text)
  // The client library would read options from a query.
  if (hostname === '' || !/^(\/\d{1,4})?$/.test(pathname) || search !== '' || hash !== '') {
    return 'REDIS_URL must be redis://host:port, optionally followed by /number for another database'
  }
  if (password !== '') {
    return 'REDIS_URL must not contain a password: write it to a file and set REDIS_PASSWORD_FILE'
  }
  return undefined
}
