/** RFC 3161 over HTTP (its section 3.4). */

import express, { Router, type Request } from 'express'
import { setTimeout as delay } from 'node:timers/promises'
import { DerError } from '@einvoicing/verification/der'
import { writeRejection } from '@einvoicing/verification/time-stamps/issue-token'
import { decodeRequest, type TimeStampRequest } from '@einvoicing/verification/time-stamps/request'
import { platformLimits } from '../limits'
import type { CurrentBehaviour } from '../platform'
import type { SandboxTsa } from './authority'

const queryType = 'application/timestamp-query'

export function timeStampRoutes(tsa: SandboxTsa, behaviour: CurrentBehaviour): Router {
  const router = Router()
  router.post(
    '/tsa',
    express.raw({ type: queryType, limit: platformLimits.timeStampQueryBytes, inflate: false }),
    async (request: Request<unknown, unknown, unknown>, response) => {
      if (!Buffer.isBuffer(request.body)) {
        const message = `Send a time-stamp query with Content-Type ${queryType}.`
        response.status(415).json({ code: 'UNSUPPORTED_MEDIA_TYPE', message })
        return
      }
      const failure = behaviour.drawTsaFailure()
      await delay(behaviour.current().tsaLatencyMs)
      if (failure === 'cut') {
        response.destroy()
        return
      }
      if (failure === 'error') {
        const message = 'The time-stamp authority is under maintenance.'
        response.status(503).json({ code: 'UNAVAILABLE', message })
        return
      }
      const query = readQuery(request.body)
      const answer = query
        ? await tsa.answer(query, failure)
        : writeRejection('The request is not a time-stamp query (RFC 3161).')
      response.type('application/timestamp-reply').send(answer)
    },
  )
  router.get('/tsa/crl', async (_request, response) => {
    const { bytes, nextUpdate } = await tsa.revocationList()
    response.set('Expires', nextUpdate.toUTCString()).type('application/pkix-crl').send(bytes)
  })
  router.post('/tsa/revoke', async (_request, response) => {
    await tsa.revoke()
    response.sendStatus(204)
  })
  router.post('/tsa/replace', async (_request, response) => {
    await tsa.replace()
    response.sendStatus(204)
  })
  router.get('/tsa/root', (_request, response) => {
    response.type('application/x-pem-file').send(tsa.rootPem)
  })
  return router
}

function readQuery(body: Buffer): TimeStampRequest | undefined {
  try {
    return decodeRequest(body)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
