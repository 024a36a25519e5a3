/** Every error is JSON `{code, message}`, unless a scripted failure is another answer. */

import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express'
import type { KeyObject } from 'node:crypto'
import type { Log } from '@einvoicing/runtime/log'
import { InvalidBehaviour } from '../behaviour'
import { platformLimits } from '../limits'
import { mailRoutes } from '../mail/routes'
import type { Platform } from '../platform'
import { readStamp, type InvoiceStamp } from '../qr-payload'
import { readShortCode } from '../short-code'
import { rejectForeignPages } from './reject-foreign-pages'
import { submissionRoutes } from './submission-routes'
import type { SandboxTsa } from '../time-stamps/authority'
import { timeStampRoutes } from '../time-stamps/routes'
import { renderVerifyPage, verifyPagePolicy } from './verify-page'

export interface AppDeps {
  platform: Platform
  tsa: SandboxTsa
  stampKey: KeyObject
  publicUrl: string | undefined
  mailFolder: string | undefined
  log: Log
}

export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(rejectForeignPages(deps.publicUrl))
  app.get('/livez', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.use(submissionRoutes(deps.platform))
  app.use(timeStampRoutes(deps.tsa, deps.platform.behaviour))
  // A simulator with a public address shows no links that open accounts.
  app.use(mailRoutes(deps.publicUrl === undefined ? deps.mailFolder : undefined))
  addBehaviourRoutes(app, deps.platform)
  app.get('/v/:code', (request, response) => {
    const sequence = readShortCode(request.params.code, deps.stampKey)
    const payload = sequence === undefined ? undefined : deps.platform.store.findQrPayload(sequence)
    const stamp = payload === undefined ? undefined : readStamp(payload, deps.stampKey)
    answerVerification(request, response, stamp)
  })
  // The address in QR codes of older versions.
  app.get('/verify', (request, response) => {
    const payload = request.query['p']
    const stamp = typeof payload === 'string' ? readStamp(payload, deps.stampKey) : undefined
    answerVerification(request, response, stamp)
  })
  app.use((request, response) => {
    const message = `There is nothing at ${request.method} ${request.path}.`
    response.status(404).json({ code: 'NOT_FOUND', message })
  })
  app.use(answerError(deps.log))
  return app
}

function addBehaviourRoutes(app: Express, { behaviour }: Platform): void {
  app.get('/v1/behaviour', (_request, response) => {
    response.json(behaviour.current())
  })
  app.put(
    '/v1/behaviour',
    express.json({ limit: platformLimits.behaviourBytes, strict: false, type: () => true }),
    (request: Request<unknown, unknown, unknown>, response) => {
      response.json(behaviour.change(request.body))
    },
  )
}

function answerVerification(
  request: Request,
  response: Response,
  stamp: InvoiceStamp | undefined,
): void {
  response.status(stamp ? 200 : 400).vary('Accept')
  if (request.accepts(['html', 'json']) === 'json') {
    response.json({ valid: stamp !== undefined, ...stamp })
    return
  }
  response.set('Content-Security-Policy', verifyPagePolicy).type('html')
  response.send(renderVerifyPage(stamp))
}

/** Errors of the request have their own status; anything else is a defect. */
function answerError(log: Log): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express recognizes an error handler by its four
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error)
      return
    }
    if (error instanceof InvalidBehaviour) {
      response.status(400).json({ code: 'BEHAVIOUR_REFUSED', message: `${error.message}.` })
      return
    }
    const status = toStatus(error)
    if (status >= 500) log.error({ err: error, path: request.path }, 'request failed')
    const { code, message } = requestErrors[status] ?? defect
    response.status(status).json({ code, message })
  }
}

function toStatus(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status in requestErrors ? status : 500
}

const defect = { code: 'INTERNAL_ERROR', message: 'The platform failed.' }

const requestErrors: Record<number, { code: string; message: string }> = {
  400: { code: 'BAD_REQUEST', message: 'The request could not be read.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than the platform accepts.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body’s encoding is not supported.' },
}
