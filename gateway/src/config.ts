import { isIP } from 'node:net'
import path from 'node:path'
import {
  readVerifySecretConfig,
  type VerifySecretConfig,
} from '@einvoicing/access/verification-addresses'
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
  sessionSecret: SessionSecretConfig
  /** `undefined`: documents have no verification page. */
  verifySecret: VerifySecretConfig | undefined
  /** Without a trailing slash. */
  publicUrl: string | undefined
  securityContact: string | undefined
  environment: Environment
}

export type TrustProxy = number | readonly string[] | undefined

export type SessionSecretConfig = { kind: 'given'; file: string } | { kind: 'own'; file: string }

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

function readSessionSecretConfig(env: EnvReader, dataDir: string | undefined): SessionSecretConfig {
  const file = env.secretFile('SESSION_SECRET_FILE')
  if (file !== undefined) return { kind: 'given', file }
  if (dataDir !== undefined) {
    return { kind: 'own', file: path.join(dataDir, 'gateway', 'session.secret') }
  }
  return env.addError(
    'SESSION_SECRET_FILE is not set: name a file with at least 32 characters, the same for all gateways',
    { kind: 'given', file: '' },
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

function isProxy(text: string): boolean {
  if (proxyNames.includes(text)) return true
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMax(version))
}

function prefixMax(ipVersion: number): number {
  return ipVersion === 4 ? 32 : 128
}
