/**
 * Undoes a `Content-Encoding`. A body is decoded in one piece after it has arrived whole, so that
 * how it was cut on its way changes nothing.
 */

import { brotliDecompressSync, gunzipSync, inflateSync, type InputType } from 'node:zlib'
import { ApiError } from '@einvoicing/domain/api-error'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { createBodyTooLarge } from './body-too-large'

/** Throws `PAYLOAD_TOO_LARGE` past `maxBytes`, and `VALIDATION_ERROR` for what does not decode. */
export type Decode = (bytes: Buffer, maxBytes: number) => Buffer

// With `info`, zlib returns the decoder too, which knows how much it read; the types do not say so.
type Decoder = (
  bytes: InputType,
  options: { info: true; maxOutputLength: number },
) => { buffer: Buffer; engine: { bytesWritten: number } }

const decoders = new Map(
  Object.entries({
    gzip: gunzipSync,
    'x-gzip': gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  }).map(([encoding, decoder]) => [encoding, createDecode(decoder as unknown as Decoder)]),
)

/** `undefined` where nothing is to be undone. Throws `UNSUPPORTED_MEDIA_TYPE`. */
export function findDecoder(contentEncoding: string | undefined): Decode | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return undefined
  const decode = decoders.get(encoding)
  if (decode) return decode
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'This Content-Encoding is not supported: send gzip, deflate, br or none.',
  )
}

// At once and not on a thread: 2 MiB take 6 ms, less than reading the JSON in them, and what many
// requests decode to is never held at the same time.
function createDecode(decoder: Decoder): Decode {
  return (bytes, maxBytes) => {
    // That nothing was sent says so better than a decoder does.
    if (bytes.length === 0) return bytes
    const decoded = decodeWhole(decoder, bytes, maxBytes)
    // zlib leaves what follows the compressed data unread, and reports no error.
    if (decoded.engine.bytesWritten === bytes.length) return decoded.buffer
    throw createDecodeError('has bytes after the end of its compressed data: send none')
  }
}

function decodeWhole(decoder: Decoder, bytes: Buffer, maxBytes: number) {
  try {
    return decoder(bytes, { info: true, maxOutputLength: maxBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw createBodyTooLarge(maxBytes)
    }
    throw createDecodeError('does not decode by its Content-Encoding')
  }
}

function createDecodeError(message: string): ApiError {
  return createValidationError([{ field: 'body', message }])
}
