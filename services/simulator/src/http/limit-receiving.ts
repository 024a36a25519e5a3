import type { RequestHandler } from 'express'
import { platformLimits } from '../limits'

/** Beyond it the platform answers 503. */
export function limitReceiving(bytesMax: number = platformLimits.receivingBytes): RequestHandler {
  let receiving = 0
  return (request, response, next) => {
    const declared = Number(request.headers['content-length'])
    // A body without a length may become as long as any.
    const bytes = Math.min(
      Number.isFinite(declared) ? declared : Infinity,
      platformLimits.documentBytes,
    )
    if (receiving + bytes > bytesMax) {
      const message = 'Too many documents are being received: try again later.'
      response.set('Retry-After', '1').set('Connection', 'close')
      response.status(503).json({ code: 'BUSY', message })
      return
    }
    receiving += bytes
    response.once('close', () => (receiving -= bytes))
    next()
  }
}
