import { SettingsError } from '@einvoicing/runtime/env'

export interface S3Place {
  url: string
  bucket: string
  region: string
  accessKey: string
}

export class ServerBusy extends Error {
  override readonly name = 'ServerBusy'
  /** Without 501, which is not transient. */
  static readonly statuses = /^(408|429|499|5(?!01)\d\d)$/

  constructor(status: number) {
    super(`the S3 server answers ${status}`)
  }
}

interface MinioError extends Error {
  code?: string
  region?: string
}

/** A `SettingsError` with what to do when a setting must be changed. */
export function explainError(error: unknown, place: S3Place): Error {
  const { name, code = '', message, region } = error as MinioError
  if (name === 'S3Error') return explainAnswer({ code, message, region }, place)
  return tlsErrorCodes.test(code) ? new SettingsError([tlsAdvice(code, place)]) : (error as Error)
}

export interface S3ErrorAnswer {
  /** Empty when the answer is not from an S3 server. */
  code: string
  message?: string | undefined
  region?: string | undefined
}

/** Without the signature that servers echo. */
export function explainAnswer(answer: S3ErrorAnswer, place: S3Place): Error {
  const { code, message = '', region } = answer
  const sentence = findAdvice(code, { ...place, expected: region ?? 'theirs' })
  if (sentence !== undefined) return new SettingsError([sentence])
  return new Error(`the S3 server answered ${code} ${message}`)
}

const rights =
  's3:GetBucketVersioning, s3:GetBucketObjectLockConfiguration, s3:ListBucketVersions, s3:PutObject, s3:PutObjectRetention, s3:GetObject, s3:GetObjectVersion and s3:GetObjectRetention'

type AdviceContext = S3Place & { expected: string }

function findAdvice(code: string, request: AdviceContext): string | undefined {
  const { url, bucket, region, accessKey, expected } = request
  switch (code) {
    case '':
      return `S3_URL: ${url} is not an S3 server: set it to the address of one, without a path.`
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound':
    case 'InvalidClientTokenId':
      return `S3_ACCESS_KEY: the S3 server at ${url} does not know ${accessKey}: set S3_ACCESS_KEY and S3_SECRET_KEY_FILE to a valid pair.`
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_KEY_FILE does not contain the secret key of ${accessKey} at ${url}: write only that key to the file.`
    case 'AuthorizationHeaderMalformed':
    case 'InvalidRegion':
    case 'IllegalLocationConstraintException':
    case 'PermanentRedirect':
    case 'MovedPermanently':
    case 'TemporaryRedirect':
      return `S3_REGION is ${region}, which is not the region of the S3 server at ${url} or of its bucket ${bucket}: set it to ${expected}.`
    case 'RequestTimeTooSkewed':
      return `The clock of this machine and that of the S3 server at ${url} are too far apart: set both by NTP.`
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `S3_ACCESS_KEY: ${accessKey} lacks permissions on the bucket ${bucket} at ${url}: allow it ${rights}.`
    case 'NoSuchBucket':
      return `S3_BUCKET: the bucket ${bucket} does not exist at ${url}: if it contained the archive, restore it; a bucket is created only when the service starts.`
    case 'NotImplemented':
    case 'MethodNotAllowed':
      return `S3_URL: the S3 server at ${url} has no object lock: use one that has, since the law requires ten years of retention.`
    default:
      return undefined
  }
}

// OpenSSL's codes for certificates, and its errors for plain HTTP.
const tlsErrorCodes = /CERT|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/

function tlsAdvice(code: string, { url }: S3Place): string {
  return `S3_URL: no trusted TLS connection to ${url} (${code}): name the host that its certificate is for, let Node.js trust its authority (NODE_EXTRA_CA_CERTS), or write http:// if it does not use TLS.`
}
