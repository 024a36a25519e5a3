import type { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readPemCertificates } from './certificate-chain'
import { SettingsError, type EnvReader } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { unavailable } from '@einvoicing/domain/api-error'

const setting = 'TRUSTED_CERTIFICATES_FILE'

export interface TrustConfig {
  /** PEM. Absent: issuers are not checked. */
  file: string | undefined
  /** A missing file then means the same. */
  isOptional: boolean
}

export function readTrustConfig(env: EnvReader, dataDir: string | undefined): TrustConfig {
  const file = env.optionalText('TRUSTED_CERTIFICATES_FILE')
  if (file !== undefined) return { file, isOptional: false }
  const own = dataDir && path.join(dataDir, 'signer', 'trusted-certificate.pem')
  return { file: own, isOptional: true }
}

/** The file is read at each use, so that an authority can be added without a restart. */
export class TrustedCertificates {
  private readonly config: TrustConfig
  private read: { pem: string; certificates: readonly X509Certificate[] } | undefined

  constructor(config: TrustConfig) {
    this.config = config
  }

  /** `undefined` where none are configured. Throws SERVICE_UNAVAILABLE for an unusable file. */
  async list(): Promise<readonly X509Certificate[] | undefined> {
    const pem = await this.readText()
    if (pem === undefined) return undefined
    if (this.read?.pem !== pem) this.read = { pem, certificates: this.parse(pem) }
    return this.read.certificates
  }

  async warnIfIncomplete(log: Log): Promise<void> {
    try {
      if ((await this.list()) !== undefined) return
      log.warn(
        `${setting} is not set: signatures are verified, but not the issuer of their certificate`,
      )
    } catch (err) {
      log.warn(
        { err },
        'no signed document can be archived until TRUSTED_CERTIFICATES_FILE can be read',
      )
    }
  }

  private async readText(): Promise<string | undefined> {
    const { file, isOptional } = this.config
    if (file === undefined) return undefined
    try {
      return await readFile(file, 'utf8')
    } catch (cause) {
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (isOptional && isMissing) return undefined
      return this.throwUnusable((cause as Error).message, cause)
    }
  }

  private parse(pem: string): readonly X509Certificate[] {
    try {
      const certificates = readPemCertificates(pem)
      if (certificates.length > 0) return certificates
    } catch (cause) {
      return this.throwUnusable(`${this.config.file} holds a malformed certificate`, cause)
    }
    return this.throwUnusable(`${this.config.file} holds no certificate`)
  }

  private throwUnusable(reason: string, cause?: unknown): never {
    const error = new SettingsError([`${setting} cannot be used: ${reason}`])
    error.cause = cause
    throw unavailable('The archive', error)
  }
}
