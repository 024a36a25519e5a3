import { brotliDecompressSync, gunzipSync, inflateSync, type InputType } from 'node:zlib'
import { ApiError } from '@einvoicing/domain/api-error'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { createBodyTooLarge } from './body-too-large'

/** Throws `PAYLOAD_TOO_LARGE` past `maxBytes`, and `VALIDATION_ERROR` for invalid data. */
export type Decode = (bytes: Buffer, maxBytes: number) => Buffer

// With `info`, zlib also returns the decoder, which has the count of bytes read; the types lack it.
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

/** `undefined`: the body is not encoded. Throws `UNSUPPORTED_MEDIA_TYPE`. */
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

// Synchronous: 2 MiB take 6 ms, less than parsing them, and one decoded body is in memory at a
// time.
function createDecode(decoder: Decoder): Decode {
  return (bytes, maxBytes) => {
    // An empty body has a clearer error of its own.
    if (bytes.length === 0) return bytes
    const decoded = decodeWhole(decoder, bytes, maxBytes)
    // zlib ignores bytes after the compressed data.
    if (decoded.engine.bytesWritten === bytes.length) return decoded.buffer
    throw createBodyError('has bytes after the end of its compressed data: send none')
  }
}

function decodeWhole(decoder: Decoder, bytes: Buffer, maxBytes: number) {
  try {
    return decoder(bytes, { info: true, maxOutputLength: maxBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw createBodyTooLarge(maxBytes)
    }
    throw createBodyError('does not decode by its Content-Encoding')
  }
}

export function createBodyError(message: string): ApiError {
  return createValidationError([{ field: 'body', message }])
}
