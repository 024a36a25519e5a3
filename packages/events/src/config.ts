// Secrets in NATS_URL are rejected, because logs and process lists show it.

import type { EnvReader } from '@einvoicing/runtime/env'

export interface BusConfig {
  kind: 'nats'
  servers: string[]
  tls: 'demanded' | 'when offered'
  caFile: string | undefined
  credentials: NatsCredentials
  replicas: number
}

export type NatsCredentials =
  | { kind: 'none' }
  | { kind: 'password'; user: string; passwordFile: string }
  | { kind: 'file'; file: string }

/** An error without NATS_URL: an in-process bus would reach no other service. */
export function readBusConfig(env: EnvReader): BusConfig {
  const servers = readServers(env)
  const isTlsNamed = servers.some((server) => server.startsWith('tls:'))
  const caFile = env.optionalText('NATS_CA_FILE')
  return {
    kind: 'nats',
    servers,
    tls: caFile !== undefined || isTlsNamed ? 'demanded' : 'when offered',
    caFile,
    credentials: readCredentials(env),
    replicas: env.integer('NATS_REPLICAS', 1, { min: 1, max: 5 }),
  }
}

function readServers(env: EnvReader): string[] {
  const text = env.optionalText('NATS_URL')
  if (text === undefined) {
    return env.addError(
      'NATS_URL is not set: services in separate processes exchange events through NATS JetStream; name its address, for example nats://127.0.0.1:4222',
      [],
    )
  }
  const url = env.optionalUrl('NATS_URL', ['nats', 'tls'])
  if (url === undefined) return []
  if (url.includes('@')) {
    env.addError(
      'NATS_URL must not contain a user or password: set NATS_USER and NATS_PASSWORD_FILE, or NATS_CREDENTIALS_FILE',
      undefined,
    )
  }
  return url.split(',')
}

function readCredentials(env: EnvReader): NatsCredentials {
  const user = env.optionalText('NATS_USER')
  const passwordFile = env.secretFile('NATS_PASSWORD_FILE')
  const file = env.secretFile('NATS_CREDENTIALS_FILE')
  if ((user === undefined) !== (passwordFile === undefined)) {
    env.addError('NATS_USER and NATS_PASSWORD_FILE go together: set both or none', undefined)
  }
  if (file !== undefined && (user ?? passwordFile) !== undefined) {
    env.addError('NATS_CREDENTIALS_FILE takes the place of NATS_USER: set one of them', undefined)
  }
  if (file !== undefined) return { kind: 'file', file }
  return user !== undefined && passwordFile !== undefined
    ? { kind: 'password', user, passwordFile }
    : { kind: 'none' }
}
