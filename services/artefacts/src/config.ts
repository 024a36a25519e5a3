import path from 'node:path'
import type { TokenSecretConfig } from '@einvoicing/access/token-keys'
import { readVerifySecretConfig } from '@einvoicing/access/verification-addresses'
import type { Environment } from '@einvoicing/domain/environment'
import { signatureLevels, type SignatureLevel } from '@einvoicing/domain/signature-level'
import type { EnvReader } from '@einvoicing/runtime/env'
import { readEnvironment } from '@einvoicing/runtime/environment'
import { readTrustConfig, type TrustConfig } from '@einvoicing/verification/trusted-certificates'
import { readRenewalConfig } from './evidence/config'
import type { RenewalConfig } from './evidence/renew-by'
import { readRevocationConfig, type RevocationConfig } from './revocations/config'
import { readTimeStampConfig, type TimeStampConfig } from './time-stamps/config'

export type ArtefactsConfig = ArchiveConfig & {
  trust: TrustConfig
  environment: Environment
  /** Absent when PDFs have no verification address. */
  verification?: { publicUrl: string; secret: TokenSecretConfig } | undefined
  /** Absent when no time-stamp authority is set. */
  evidence?: EvidenceConfig | undefined
  /** PEM; without `evidence` too, documents are verified that have it. */
  timeStampTrustFile?: string | undefined
}

export interface EvidenceConfig {
  /** Evidence is added up to this level. */
  level: SignatureLevel
  timeStamps: TimeStampConfig
  revocations: RevocationConfig
  renewal: RenewalConfig
}

export type ArchiveConfig = { kind: 'filesystem'; directory: string } | S3ObjectsConfig

export interface S3ObjectsConfig {
  kind: 's3'
  /** Scheme, host and port only. */
  url: string
  bucket: string
  region: string
  accessKey: string
  secretKeyFile: string
}

export interface InsideConfig {
  environment?: Environment
  sandboxTsaUrl?: string | undefined
  verifySecret?: TokenSecretConfig | undefined
}

export function readArtefactsConfig(
  env: EnvReader,
  dataDir: string | undefined,
  inside: InsideConfig = {},
): ArtefactsConfig {
  const environment = inside.environment ?? readEnvironment(env)
  const level = env.oneOf('EVIDENCE_LEVEL', signatureLevels, 'LTA')
  const sandboxUrl = inside.sandboxTsaUrl
  const timeStamps = readTimeStampConfig(env, { environment, sandboxUrl })
  const revocations = readRevocationConfig(env)
  const renewal = readRenewalConfig(env)
  return {
    ...readArchiveConfig(env, dataDir),
    trust: readTrustConfig(env, dataDir),
    environment,
    verification: readVerification(env, inside.verifySecret),
    evidence: timeStamps && { level, timeStamps, revocations, renewal },
    timeStampTrustFile: env.optionalText('TSA_TRUSTED_CERTIFICATES_FILE'),
  }
}

function readVerification(
  env: EnvReader,
  inside: TokenSecretConfig | undefined,
): ArtefactsConfig['verification'] {
  const publicUrl = env.optionalUrl('PUBLIC_URL', ['http', 'https'])
  const secret = inside ?? readVerifySecretConfig(env, undefined)
  return publicUrl !== undefined && secret ? { publicUrl, secret } : undefined
}

export function readArchiveConfig(env: EnvReader, dataDir: string | undefined): ArchiveConfig {
  const s3 = readS3Config(env)
  if (s3) return s3
  if (dataDir !== undefined)
    return { kind: 'filesystem', directory: path.join(dataDir, 'artefacts') }
  return env.addError(
    'S3_URL is not set: set it to the S3 server that stores artefacts, or set DATA_DIR to store them there',
    { kind: 'filesystem', directory: '' },
  )
}

const together = ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY_FILE'] as const

/** All or none: an incomplete setting of a bucket must not select the folder. */
function readS3Config(env: EnvReader): S3ObjectsConfig | undefined {
  const region = env.text('S3_REGION', 'us-east-1')
  const missing = together.filter((name) => env.optionalText(name) === undefined)
  if (missing.length === together.length) return undefined
  for (const name of missing) {
    env.addError(`${name} is not set: ${together.join(', ')} go together`, undefined)
  }
  return {
    kind: 's3',
    url: readUrl(env),
    bucket: readBucket(env),
    region,
    accessKey: env.text('S3_ACCESS_KEY', ''),
    secretKeyFile: env.secretFile('S3_SECRET_KEY_FILE') ?? '',
  }
}

function readUrl(env: EnvReader): string {
  const url = env.optionalUrl('S3_URL', ['http', 'https'])
  // The value is not logged: it may contain a password.
  if (url === undefined || /^https?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(url)) {
    return url ?? ''
  }
  return env.addError('S3_URL must be http://host:port or https://host:port, and no more', url)
}

function readBucket(env: EnvReader): string {
  const bucket = env.text('S3_BUCKET', '')
  if (bucket === '' || /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) return bucket
  return env.addError(
    'S3_BUCKET must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    bucket,
  )
}
