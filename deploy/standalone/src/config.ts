import path from 'node:path'
import { readArtefactsConfig, type ArtefactsConfig } from '@einvoicing/artefacts/config'
import { readClearanceConfig, type ClearanceConfig } from '@einvoicing/clearance/config'
import { readGatewayConfig, type GatewayConfig } from '@einvoicing/gateway/config'
import { readInvoicesConfig, type InvoicesConfig } from '@einvoicing/invoices/config'
import { EnvReader } from '@einvoicing/runtime/env'
import { readEnvironment } from '@einvoicing/runtime/environment'
import { logLevels, type LogLevel } from '@einvoicing/runtime/log'
import { readTraceConfig, type TraceConfig } from '@einvoicing/runtime/trace-config'
import { readOrganizationsConfig, type OrganizationsConfig } from '@einvoicing/organizations/config'
import { readSignerConfig, type SignerConfig } from '@einvoicing/signer/config'
import type { SimulatorConfig } from './simulator-process'

export interface StandaloneConfig {
  secretFiles: ReadonlyMap<string, string>
  dataDir: string
  logLevel: LogLevel
  tracing: TraceConfig | undefined
  /** Makes a demo organization in a new data folder. */
  demo: boolean
  /** `none`: services call each other's handlers; `grpc`: over real channels on loopback. */
  wire: 'none' | 'grpc'
  /** Absent if CLEARANCE_URL names another platform. */
  simulator: SimulatorConfig | undefined
  gateway: GatewayConfig
  organizations: OrganizationsConfig
  invoices: InvoicesConfig
  signer: SignerConfig
  artefacts: ArtefactsConfig
  clearance: ClearanceConfig
}

export function readConfig(variables: NodeJS.ProcessEnv): StandaloneConfig {
  const env = new EnvReader(variables)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const simulatorPort = env.integer('SIMULATOR_PORT', 8090, { min: 1, max: 65_535 })
  const isNamed = env.optionalText('CLEARANCE_URL') !== undefined
  const environment = readEnvironment(env, isNamed ? 'live' : 'test')
  if (environment === 'live' && !isNamed) {
    env.addError(
      'ENVIRONMENT is live, but CLEARANCE_URL names no platform: set it, or leave ENVIRONMENT unset',
      undefined,
    )
  }
  const organizations = readOrganizationsConfig(env, dataDir)
  const { transport } = organizations.mail
  const gateway = { ...readGatewayConfig(env, dataDir), environment }
  const config: StandaloneConfig = {
    secretFiles: env.secretFiles,
    dataDir,
    logLevel: env.oneOf('LOG_LEVEL', logLevels, 'info'),
    tracing: readTraceConfig(env),
    demo: env.flag('DEMO', false),
    wire: env.oneOf('WIRE', ['none', 'grpc'], 'none'),
    simulator: isNamed
      ? undefined
      : {
          port: simulatorPort,
          publicUrl: env.optionalUrl('SIMULATOR_PUBLIC_URL', ['http', 'https']),
          trustedCertificateFile: env.optionalText('SIMULATOR_TRUSTED_CERTIFICATES'),
          crlSeconds: env.optionalText('SANDBOX_CRL_SECONDS'),
          tsaCertificateDays: env.optionalText('SANDBOX_TSA_CERTIFICATE_DAYS'),
          tsaUrl: env.optionalUrl('SANDBOX_TSA_URL', ['http', 'https']),
          mailFolder: transport?.kind === 'folder' ? transport.folder : undefined,
        },
    gateway,
    organizations,
    invoices: readInvoicesConfig(env, dataDir),
    signer: readSignerConfig(env, dataDir),
    artefacts: readArtefactsConfig(env, dataDir, {
      environment,
      verifySecret: gateway.verifySecret,
      sandboxTsaUrl: isNamed ? undefined : `http://127.0.0.1:${simulatorPort}/tsa`,
    }),
    clearance: readClearanceConfig(env, `http://127.0.0.1:${simulatorPort}`),
  }
  env.throwErrors()
  return config
}
