import { ApiError } from '@einvoicing/domain/api-error'
import type { Request, Response } from 'express'
import readRawBody from 'raw-body'
import { createBodyEvicted } from '../body-memory'
import { BodyPieces } from './body-pieces'
import { releaseWhileWaiting } from '../overload/slot'
import { createBodyTooLarge } from './body-too-large'
import { findDecoder } from './decode-body'
import { authorizeAgain, readClientName, getExchange } from '../exchange'

/**
 * Throws `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR` (cannot be decoded),
 * `SERVICE_UNAVAILABLE` (the memory is full), and errors of the checks.
 */
export async function readBytes(
  request: Request,
  response: Response,
  maxBytes: number,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw createBodyTooLarge(maxBytes)
  const decode = findDecoder(request.headers['content-encoding'])
  // A client that left during the key lookup sends nothing more.
  if (request.destroyed) throw createCutShortError()
  if (request.headers.expect !== undefined) response.writeContinue()

  const { bodyMemory, bytesReadBefore } = getExchange(response)
  const held = bodyMemory.hold(readClientName(request, response), () =>
    pieces.destroy(createBodyEvicted()),
  )
  const pieces = new BodyPieces(request.socket, bytesReadBefore, (bytes) => held.add(bytes))
  const release = (): void => held.release()
  // An answer that its client does not read keeps the response open.
  response.once('prefinish', release).once('close', release)
  try {
    const sent = await releaseWhileWaiting(response, () => receive(request, pieces, maxBytes))
    const bytes = decode ? decode(sent, maxBytes) : sent
    if (decode) held.add(bytes.length)
    if (held.isEvicted) throw createBodyEvicted()
    held.settle(bytes.length)
    await authorizeAgain(response)
    return bytes
  } catch (thrown) {
    held.release()
    throw thrown
  }
}

async function receive(request: Request, pieces: BodyPieces, maxBytes: number): Promise<Buffer> {
  const onClose = (): void => {
    if (!request.complete) pieces.destroy(createCutShortError())
  }
  request.once('close', onClose).pipe(pieces)
  try {
    // Compressed bytes count too: a stream can be endless and decode to nothing.
    return await readRawBody(pieces, { limit: maxBytes })
  } catch (thrown) {
    request.unpipe(pieces)
    pieces.destroy()
    throw thrown instanceof ApiError ? thrown : toApiError(thrown, maxBytes)
  } finally {
    request.off('close', onClose)
  }
}

function toApiError(thrown: unknown, maxBytes: number): unknown {
  const type = thrown instanceof Error && 'type' in thrown ? thrown.type : undefined
  return type === 'entity.too.large' ? createBodyTooLarge(maxBytes) : thrown
}

function createCutShortError(): ApiError {
  return new ApiError(
    'BAD_REQUEST',
    'The connection ended before the body did: send the request again.',
  )
}
