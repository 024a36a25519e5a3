import type { EnvReader } from '@einvoicing/runtime/env'
import { logLevels, type LogLevel } from '@einvoicing/runtime/log'

export interface SimulatorConfig {
  host: string
  port: number
  dataDir: string
  /** PEM, the authorities whose certificates may sign invoices. */
  trustedCertificatesFile: string
  /** Start of the address in a QR code; unset: the address listened on. */
  publicUrl: string | undefined
  /** Period of the time-stamp authority's revocation lists. */
  crlSeconds: number
  /** As the certificate names it; unset: the address listened on. */
  tsaUrl: string | undefined
  /** Lifetime; a new certificate is made when the number changes. */
  tsaCertificateDays: number
  /** With the messages of a sandbox without a mail server, shown at /mail. */
  mailFolder: string | undefined
  logLevel: LogLevel
}

export function readSimulatorConfig(env: EnvReader): SimulatorConfig {
  return {
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('SIMULATOR_PORT', 8090, { min: 0, max: 65_535 }),
    dataDir: env.text('SIMULATOR_DATA_DIR', './data/simulator'),
    trustedCertificatesFile:
      env.optionalText('SIMULATOR_TRUSTED_CERTIFICATES') ??
      env.addError(
        'SIMULATOR_TRUSTED_CERTIFICATES must name a PEM file of the authorities to trust',
        '',
      ),
    publicUrl: env.optionalUrl('SIMULATOR_PUBLIC_URL', ['http', 'https']),
    crlSeconds: env.integer('SANDBOX_CRL_SECONDS', 3_600, { min: 1, max: 7 * 86_400 }),
    tsaUrl: env.optionalUrl('SANDBOX_TSA_URL', ['http', 'https']),
    tsaCertificateDays: env.integer('SANDBOX_TSA_CERTIFICATE_DAYS', 5_479, { min: 1, max: 8_000 }),
    mailFolder: env.optionalText('SIMULATOR_MAIL_FOLDER'),
    logLevel: env.oneOf<LogLevel>('LOG_LEVEL', logLevels, 'info'),
  }
}
