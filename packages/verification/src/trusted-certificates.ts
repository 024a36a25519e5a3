import type { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { readPemCertificates } from './certificate-chain'
import { SettingsError, type EnvReader } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'

const usualSetting = 'TRUSTED_CERTIFICATES_FILE'

export interface TrustConfig {
  /** PEM. Absent: issuers are not checked. */
  file: string | undefined
  /** A missing file then means the same. */
  isOptional: boolean
  /** Default: TRUSTED_CERTIFICATES_FILE. */
  setting?: string
}

export function readTrustConfig(env: EnvReader, dataDir: string | undefined): TrustConfig {
  const file = env.optionalText('TRUSTED_CERTIFICATES_FILE')
  if (file !== undefined) return { file, isOptional: false }
  const own = dataDir && path.join(dataDir, 'signer', 'trusted-certificate.pem')
  return { file: own, isOptional: true }
}

/** The file is checked each time, so that an authority can be added without a restart. */
export class TrustedCertificates {
  private readonly config: TrustConfig
  private read: { version: string; certificates: readonly X509Certificate[] } | undefined
  private look: Promise<string> | undefined

  constructor(config: TrustConfig) {
    this.config = config
  }

  /** `undefined` when none are configured. Throws SERVICE_UNAVAILABLE for an unusable file. */
  async list(): Promise<readonly X509Certificate[] | undefined> {
    const { file, isOptional } = this.config
    if (file === undefined) return undefined
    try {
      // Documents that come together share one look.
      const version = await (this.look ??= readVersion(file).finally(() => {
        this.look = undefined
      }))
      if (this.read?.version !== version) {
        this.read = { version, certificates: this.parse(await readFile(file, 'utf8')) }
      }
      return this.read.certificates
    } catch (cause) {
      if (cause instanceof ApiError) throw cause
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (isOptional && isMissing) return undefined
      return this.throwUnusable((cause as Error).message, cause)
    }
  }

  async warnIfIncomplete(log: Log): Promise<void> {
    try {
      if ((await this.list()) !== undefined) return
      log.warn(
        `${usualSetting} is not set: signatures are verified, but not the issuer of their certificate`,
      )
    } catch (err) {
      log.warn(
        { err },
        'no signed document can be archived until TRUSTED_CERTIFICATES_FILE can be read',
      )
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
    const { setting = usualSetting } = this.config
    const error = new SettingsError([`${setting} cannot be used: ${reason}`])
    error.cause = cause
    throw unavailable('The list of trusted certificates', error)
  }
}

/** Changes with each write and each replacement. */
async function readVersion(file: string): Promise<string> {
  const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true })
  return [mtimeNs, ctimeNs, size, ino].join(' ')
}
