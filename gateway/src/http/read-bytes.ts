/**
 * Reads a request's body whole, decoded, and never more of it than the limit: past it the rest is
 * not waited for.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { limits } from '@einvoicing/kernel/limits'
import { Refusal } from '@einvoicing/kernel/refusal'
import { invalid } from '../fields/field-faults'

const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for an encoding we do not know, VALIDATION_ERROR for
 * one that is broken.
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge()
  const decode = decoderFor(request.headers['content-encoding'])
  if (request.headers.expect !== undefined) response.writeContinue()
  return collect(request, decode ? request.pipe(decode()) : request)
}

function decoderFor(header: string | undefined) {
  const encoding = header?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return undefined
  const decoder = decoders.get(encoding)
  if (decoder) return decoder
  throw new Refusal(
    'UNSUPPORTED_MEDIA_TYPE',
    'This Content-Encoding is not supported: send gzip, deflate, br or none.',
  )
}

function collect(request: IncomingMessage, source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let sentBytes = 0
    let bytes = 0

    const onSent = (chunk: Buffer): void => {
      // Counted too: a compressed stream can be endless and decode to nothing.
      sentBytes += chunk.length
      if (sentBytes > limits.bodyBytes) stop(tooLarge())
    }
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > limits.bodyBytes) stop(tooLarge())
      else chunks.push(chunk)
    }
    const onEnd = (): void => {
      release()
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes))
    }
    const onError = (): void => stop(source === request ? cutShort() : undecodable())
    const onClose = (): void => (request.complete ? undefined : stop(cutShort()))
    const release = (): void => {
      source.off('data', onData).off('end', onEnd).off('error', onError)
      request.off('data', onSent).off('close', onClose)
    }
    const stop = (refusal: Refusal): void => {
      release()
      // An error after we stopped listening would be thrown at the process.
      source.on('error', () => undefined)
      if (source === request) request.pause()
      else {
        request.unpipe()
        source.destroy()
      }
      reject(refusal)
    }

    source.on('data', onData).on('end', onEnd).on('error', onError)
    if (source !== request) request.on('data', onSent)
    request.on('close', onClose)
  })
}

function tooLarge(): Refusal {
  return new Refusal(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${limits.bodyBytes} bytes (after decoding); split the invoice.`,
  )
}

function cutShort(): Refusal {
  return new Refusal(
    'BAD_REQUEST',
    'The connection ended before the body did: send the request again.',
  )
}

function undecodable(): Refusal {
  return invalid([{ field: 'body', message: 'does not decode by its Content-Encoding' }])
}
