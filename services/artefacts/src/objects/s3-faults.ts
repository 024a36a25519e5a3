/**
 * Why an S3 server did not do as it was asked, for the operator: the setting that is wrong and what
 * to do, or only that the server is away.
 */

import { SettingsError } from '@einvoicing/kernel/env'

/** Where the archive is; no secret. */
export interface S3Place {
  url: string
  bucket: string
  region: string
  accessKey: string
}

/** An answer of a server, or of a proxy before it, that will pass by itself. */
export class ServerBusy extends Error {
  override readonly name = 'ServerBusy'
  /** 501 is none: what a server does not know today it does not know tomorrow. */
  static readonly statuses = /^(408|429|499|5(?!01)\d\d)$/

  constructor(status: number) {
    super(`the S3 server answers ${status}`)
  }
}

/**
 * A `SettingsError` when something must be changed before it can go well; else an error for the
 * log, without what servers echo of a signature.
 */
export function whyRefused(error: unknown, place: S3Place): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { code = '', region } = error as Error & { code?: string; region?: string }
  if (isAnswer(error)) {
    const sentence = answered(code, { ...place, expected: region })
    if (sentence !== undefined) return new SettingsError([sentence])
    return new Error(`the S3 server refused: ${code} ${error.message}`)
  }
  return tlsFault.test(code) ? new SettingsError([tlsSentence(code, place)]) : error
}

const rights =
  's3:GetBucketVersioning, s3:GetBucketObjectLockConfiguration, s3:ListBucketVersions, s3:PutObject, s3:PutObjectRetention, s3:GetObject, s3:GetObjectVersion and s3:GetObjectRetention'

/** What to say of an answer that is no S3 server's. */
export function notS3({ url }: S3Place): SettingsError {
  return new SettingsError([
    `S3_URL: what answers at ${url} is no S3 server: set it to the address of one, without a path.`,
  ])
}

type Asked = S3Place & { expected: string | undefined }

function answered(code: string, asked: Asked): string | undefined {
  const { url, bucket, region, accessKey, expected } = asked
  switch (code) {
    case '':
      return notS3(asked).message
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound':
    case 'InvalidClientTokenId':
      return `S3_ACCESS_KEY: the S3 server at ${url} does not know ${accessKey}: set S3_ACCESS_KEY and S3_SECRET_KEY_FILE to a pair that it knows.`
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_KEY_FILE does not hold the secret key of ${accessKey} at ${url}: put the right one there, alone.`
    case 'AuthorizationHeaderMalformed':
    case 'InvalidRegion':
    case 'IllegalLocationConstraintException':
    case 'PermanentRedirect':
    case 'MovedPermanently':
    case 'TemporaryRedirect':
      return `S3_REGION is ${region}, which is not the region of the S3 server at ${url} or of its bucket ${bucket}: set it to ${expected ?? 'theirs'}.`
    case 'RequestTimeTooSkewed':
      return `The clock of this machine and that of the S3 server at ${url} are too far apart: set both by NTP.`
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `S3_ACCESS_KEY: ${accessKey} may not do in the bucket ${bucket} at ${url} what an archive must: allow it ${rights}.`
    case 'NoSuchBucket':
      return `S3_BUCKET: the bucket ${bucket} that the archive was in is gone from ${url}: bring it back; it is made anew only by a restart.`
    case 'NotImplemented':
    case 'MethodNotAllowed':
      return `S3_URL: the S3 server at ${url} has no object lock: use one that has, as the law asks for ten years.`
    default:
      return undefined
  }
}

/** Errors made of an answer carry the request's ids, whether the server gave any or not. */
function isAnswer(error: Error): boolean {
  return error.name === 'S3Error'
}

// By OpenSSL's names for what is wrong with a certificate, and by what plain HTTP looks like to it.
const tlsFault = /CERT|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/

function tlsSentence(code: string, { url }: S3Place): string {
  return `S3_URL: no trusted TLS connection to ${url} (${code}): name the host that its certificate is for, let Node.js trust its authority (NODE_EXTRA_CA_CERTS), or write http:// if it speaks no TLS.`
}
