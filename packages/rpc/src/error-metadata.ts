/** An `ApiError` in the trailers of a call: whole if it fits, else with the first field errors. */

import { deflateSync, inflateSync } from 'node:zlib'
import type { Metadata } from '@grpc/grpc-js'
import { ApiError, isErrorCode } from '@einvoicing/domain/api-error'

// `-bin` metadata is base64 on the wire, so messages may hold any text.
const plainKey = 'refusal-bin'
const deflatedKey = 'error-deflate-bin'

// Trailers beyond 8 KiB are rejected or lost, and base64 adds a third.
const trailerBytes = 5 * 1024
const plainBytesBesideDeflated = 1024
const inflatedBytes = 1024 * 1024
const messageLength = 800

// A name of the first version, which another process may still use.
const fieldErrorsKey = 'faults'

type ErrorContent = Pick<ApiError, 'code' | 'message' | 'fieldErrors' | 'retryAfterSeconds'>

interface CarriedError extends Omit<ErrorContent, 'fieldErrors'> {
  [fieldErrorsKey]: ErrorContent['fieldErrors']
}

export function writeError(metadata: Metadata, error: ApiError): void {
  const whole = toJson(error)
  if (whole.length <= trailerBytes) {
    metadata.set(plainKey, whole)
    return
  }
  const plain = shorten(error, plainBytesBesideDeflated, (json) => json)
  metadata.set(plainKey, plain)
  metadata.set(deflatedKey, shorten(error, trailerBytes - plain.length, deflateSync))
}

export function readError(metadata: Metadata): ApiError | undefined {
  const carried = readDeflated(metadata) ?? readBytes(metadata, plainKey)
  if (!carried) return undefined
  const {
    code,
    message,
    [fieldErrorsKey]: fieldErrors,
    retryAfterSeconds,
  } = JSON.parse(carried.toString()) as CarriedError
  if (!isErrorCode(code)) return undefined
  return new ApiError(code, message, dropUndefined({ fieldErrors, retryAfterSeconds }))
}

function readDeflated(metadata: Metadata): Buffer | undefined {
  const bytes = readBytes(metadata, deflatedKey)
  try {
    return bytes && inflateSync(bytes, { maxOutputLength: inflatedBytes })
  } catch {
    return undefined
  }
}

function readBytes(metadata: Metadata, key: string): Buffer | undefined {
  const value = metadata.get(key)[0]
  return Buffer.isBuffer(value) ? value : undefined
}

function shorten(error: ApiError, bytesMax: number, pack: (json: Buffer) => Buffer): Buffer {
  const message = error.message.slice(0, messageLength)
  const { code, fieldErrors, retryAfterSeconds } = error
  const total = fieldErrors?.length ?? 0
  for (let count = total; ; count = Math.floor(count / 2)) {
    const rest = count < total ? ` errors has the first ${count} of ${total}.` : ''
    const json = toJson({
      code,
      message: message + rest,
      fieldErrors: fieldErrors?.slice(0, count),
      retryAfterSeconds,
    })
    const bytes = pack(json)
    const fits = bytes.length <= bytesMax && json.length <= inflatedBytes
    if (fits || count === 0) return bytes
  }
}

function toJson({ code, message, fieldErrors, retryAfterSeconds }: ErrorContent): Buffer {
  const carried: CarriedError = { code, message, [fieldErrorsKey]: fieldErrors, retryAfterSeconds }
  return Buffer.from(JSON.stringify(carried))
}

function dropUndefined<T extends object>(object: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>
  }
}
