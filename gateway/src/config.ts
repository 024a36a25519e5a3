import { isIP } from 'node:net'
import path from 'node:path'
import { isNetwork } from '@einvoicing/access/allowed-networks'
import type { TokenSecretConfig } from '@einvoicing/access/token-keys'
import { readVerifySecretConfig } from '@einvoicing/access/verification-addresses'
import type { Address } from '@einvoicing/runtime/address'
import type { EnvReader } from '@einvoicing/runtime/env'
import type { Environment } from '@einvoicing/domain/environment'
import { limits } from '@einvoicing/domain/limits'
import { readEnvironment } from '@einvoicing/runtime/environment'
import { readRateLimitConfig, type RateLimitConfig } from './rate-limit/config'
import { readSecurityContact } from './security-txt'

export interface GatewayConfig {
  host: string
  port: number
  requestsPerMinute: number
  rateLimit: RateLimitConfig
  trustProxy: TrustProxy
  /** `undefined`: metrics and details of readiness are on the public port. */
  operations: Address | undefined
  maxConnections: number
  /** For the bodies of all requests together. */
  bodyMemoryBytes: number
  sessionSecret: TokenSecretConfig
  /** `undefined`: documents have no verification page. */
  verifySecret: TokenSecretConfig | undefined
  /** Without a trailing slash. */
  publicUrl: string | undefined
  securityContact: string | undefined
  environment: Environment
}

export type TrustProxy = number | readonly string[] | undefined

const mebibyte = 1024 * 1024

export function readGatewayConfig(env: EnvReader, dataDir: string | undefined): GatewayConfig {
  return {
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('PORT', 8080, { min: 0, max: 65_535 }),
    operations: env.optionalAddress('OPERATIONS_ADDRESS'),
    requestsPerMinute: env.integer('RATE_LIMIT_PER_MINUTE', limits.requestsPerMinute, {
      min: 1,
      max: 1_000_000_000,
    }),
    rateLimit: readRateLimitConfig(env),
    trustProxy: readTrustProxy(env),
    maxConnections: env.integer('MAX_CONNECTIONS', limits.connections, { min: 10, max: 1_000_000 }),
    bodyMemoryBytes:
      mebibyte * env.integer('BODY_MEMORY_MIB', limits.bodyMemoryMib, { min: 8, max: 65_536 }),
    sessionSecret: readSessionSecretConfig(env, dataDir),
    verifySecret: readVerifySecretConfig(env, dataDir),
    publicUrl: env.optionalUrl('PUBLIC_URL', ['http', 'https']),
    securityContact: readSecurityContact(env),
    environment: readEnvironment(env),
  }
}

function readSessionSecretConfig(env: EnvReader, dataDir: string | undefined): TokenSecretConfig {
  const file = env.secretFile('SESSION_SECRET_FILE')
  if (file !== undefined) return { file, isOwn: false }
  if (dataDir !== undefined) {
    return { file: path.join(dataDir, 'gateway', 'session.secret'), isOwn: true }
  }
  return env.addError(
    'SESSION_SECRET_FILE is not set: name a file with at least 32 characters, the same for all gateways',
    { file: '', isOwn: false },
  )
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

function readTrustProxy(env: EnvReader): TrustProxy {
  const text = env.optionalText('TRUST_PROXY')
  if (text === undefined) return undefined
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const proxies = text.split(',').map((proxy) => proxy.trim())
  if (proxies.every(isProxy)) return proxies
  env.addError(
    `TRUST_PROXY must be a number of hops, or addresses, subnets and ${proxyNames.join(', ')} separated by commas, not "${text}"`,
    undefined,
  )
  return undefined
}

/** Express does not start with a prefix of 0. */
function isProxy(text: string): boolean {
  const isSubnet = isNetwork(text) && !/\/0+$/.test(text)
  return proxyNames.includes(text) || isIP(text) !== 0 || isSubnet
}
