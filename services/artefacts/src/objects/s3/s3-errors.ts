/**
 * Why an S3 server did not do as it was asked, for the operator: the setting that is wrong and what
 * to do, or only that the server is away.
 */

import { SettingsError } from '@einvoicing/runtime/env'

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

interface MinioError extends Error {
  code?: string
  region?: string
}

/** A `SettingsError` when something must be changed before it can go well. */
export function explainError(error: unknown, place: S3Place): Error {
  const { name, code = '', message, region } = error as MinioError
  if (name === 'S3Error') return explainAnswer({ code, message, region }, place)
  return tlsErrorCodes.test(code) ? new SettingsError([tlsAdvice(code, place)]) : (error as Error)
}

export interface S3ErrorAnswer {
  /** As S3 names what is wrong; empty when no S3 server said it. */
  code: string
  message?: string | undefined
  /** The one that was expected. */
  region?: string | undefined
}

/** For the operator or the log, without what servers echo of a signature. */
export function explainAnswer(answer: S3ErrorAnswer, place: S3Place): Error {
  const { code, message = '', region } = answer
  const sentence = findAdvice(code, { ...place, expected: region ?? 'theirs' })
  if (sentence !== undefined) return new SettingsError([sentence])
  return new Error(`the S3 server refused: ${code} ${message}`)
}

const rights =
  's3:GetBucketVersioning, s3:GetBucketObjectLockConfiguration, s3:ListBucketVersions, s3:PutObject, s3:PutObjectRetention, s3:GetObject, s3:GetObjectVersion and s3:GetObjectRetention'

type S3Request = S3Place & { expected: string }

function findAdvice(code: string, asked: S3Request): string | undefined {
  const { url, bucket, region, accessKey, expected } = asked
  switch (code) {
    case '':
      return `S3_URL: what answers at ${url} is no S3 server: set it to the address of one, without a path.`
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
      return `S3_REGION is ${region}, which is not the region of the S3 server at ${url} or of its bucket ${bucket}: set it to ${expected}.`
    case 'RequestTimeTooSkewed':
      return `The clock of this machine and that of the S3 server at ${url} are too far apart: set both by NTP.`
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `S3_ACCESS_KEY: ${accessKey} may not do in the bucket ${bucket} at ${url} what an archive must: allow it ${rights}.`
    case 'NoSuchBucket':
      return `S3_BUCKET: there is no bucket ${bucket} at ${url}: if the archive was in it, bring it back; only a service that starts makes one.`
    case 'NotImplemented':
    case 'MethodNotAllowed':
      return `S3_URL: the S3 server at ${url} has no object lock: use one that has, as the law asks for ten years.`
    default:
      return undefined
  }
}

// By OpenSSL's names for what is wrong with a certificate, and by what plain HTTP looks like to it.
const tlsErrorCodes = /CERT|UNABLE_TO|^ERR_TLS|^ERR_SSL|^EPROTO$/

function tlsAdvice(code: string, { url }: S3Place): string {
  return `S3_URL: no trusted TLS connection to ${url} (${code}): name the host that its certificate is for, let Node.js trust its authority (NODE_EXTRA_CA_CERTS), or write http:// if it speaks no TLS.`
}
