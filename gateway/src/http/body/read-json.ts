import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Request, Response } from 'express'
import {
  ExactNumber,
  longNumbersMax,
  parseExactJson,
  TooManyLongNumbers,
} from '../../json/exact-json'
import { nestsTooDeeply } from '../../json/json-depth'
import { findJsonSyntaxError } from '../../json/json-syntax-error'
import { createBodyError } from './decode-body'
import { isUtf8MediaType } from './media-type'
import { readBytes } from './read-bytes'

export type JsonObject = Record<string, unknown>

/** Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, and `VALIDATION_ERROR` on `body`. */
export async function readJsonText(
  request: Request,
  response: Response,
  maxBytes: number,
): Promise<string> {
  checkMediaType(request)
  const bytes = await readBytes(request, response, maxBytes)
  if (!isUtf8(bytes)) throw createBodyError('is not UTF-8 text')
  const text = bytes.toString('utf8')
  // Some clients send a byte order mark (RFC 8259, section 8.1 allows ignoring it).
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Throws `VALIDATION_ERROR` on `body`, with the position of a syntax error. */
export function parseJsonObject(text: string): JsonObject {
  const value = parse(text)
  if (isJsonObject(value)) return value
  throw createBodyError('must be a JSON object, like {"invoiceNumber": "F-1"}')
}

export function isJsonObject(value: unknown): value is JsonObject {
  const isContainer = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isContainer && !(value instanceof ExactNumber)
}

function parse(text: string): unknown {
  if (text.trim() === '') throw createBodyError('is required: send a JSON object')
  if (nestsTooDeeply(text)) throw createBodyError('nests arrays and objects too deeply')
  try {
    return parseExactJson(text)
  } catch (thrown) {
    if (thrown instanceof TooManyLongNumbers) {
      throw createBodyError(
        `must have at most ${longNumbersMax} numbers with an exponent or more than 15 digits`,
      )
    }
    const problem = findJsonSyntaxError(text)
    throw createBodyError(
      problem
        ? `is not JSON: ${problem.what} at line ${problem.line}, column ${problem.column}`
        : 'is not JSON',
    )
  }
}

function checkMediaType({ headers }: IncomingMessage): void {
  const contentType = headers['content-type']
  // A missing body is the clearer error.
  if (contentType === undefined && !hasBody(headers)) return
  if (isUtf8MediaType(contentType ?? '', 'application/json')) return
  throw unsupportedMediaType()
}

export function unsupportedMediaType(): ApiError {
  return new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as "Content-Type: application/json", in UTF-8.',
  )
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
