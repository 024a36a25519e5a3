/**
 * Settings of `npm run services`; all others are passed to the services unchanged. A backing service
 * whose address is set is used, the others are started here.
 */

import path from 'node:path'
import { EnvReader } from '@einvoicing/runtime/env'
import { logLevels, type LogLevel } from '@einvoicing/runtime/log'

export interface LauncherConfig {
  dataDir: string
  logLevel: LogLevel
  /** Whether to make a demo organization on a new folder. */
  demo: boolean
  /** The first gateway's; the next ones follow it. */
  port: number
  gateways: number
  /** Of each service behind the gateways. */
  instances: number
  simulatorPort: number
  /** Which backing services others run: `mongodb`, `nats`, … */
  external: ReadonlySet<BackingService>
}

export const backingServices = ['mongodb', 'nats', 's3', 'redis', 'pkcs11'] as const
export type BackingService = (typeof backingServices)[number]

export function readLauncherConfig(environment: NodeJS.ProcessEnv): LauncherConfig {
  const env = new EnvReader(environment)
  const addresses: Record<BackingService, string | undefined> = {
    mongodb: env.optionalText('MONGODB_URL'),
    nats: env.optionalText('NATS_URL'),
    s3: env.optionalText('S3_URL'),
    redis: env.optionalText('REDIS_URL'),
    pkcs11: env.optionalText('PKCS11_MODULE'),
  }
  const config = {
    dataDir: path.resolve(env.text('DATA_DIR', './data/services')),
    logLevel: env.oneOf<LogLevel>('LOG_LEVEL', logLevels, 'info'),
    demo: env.flag('DEMO', false),
    port: env.integer('PORT', 8080, { min: 1, max: 65_000 }),
    gateways: env.integer('GATEWAYS', 1, { min: 1, max: 8 }),
    instances: env.integer('INSTANCES', 1, { min: 1, max: 8 }),
    simulatorPort: env.integer('SIMULATOR_PORT', 8090, { min: 1, max: 65_535 }),
    external: new Set(
      backingServices.filter((backingService) => addresses[backingService] !== undefined),
    ),
  }
  env.throwErrors()
  return config
}
