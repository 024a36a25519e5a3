/** Failures are never injected on the totals, which exist to prove what was submitted. */

import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { setTimeout as delay } from 'node:timers/promises'
import { failures, type FailureName } from '../injected-failures'
import { chooseFailure, receiveSubmission, type Platform } from '../platform'
import { platformLimits } from '../limits'
import { limitReceiving } from './limit-receiving'
import type { Submission } from '../submission-store'

interface Answer {
  status: number
  body: object
  retryAfter?: boolean
}

export function submissionRoutes(platform: Platform): Router {
  const router = Router()
  router.post(
    '/v1/submissions',
    requireDocumentHeaders,
    limitReceiving(),
    express.raw({ type: () => true, limit: platformLimits.documentBytes, inflate: false }),
    requireDocument,
    async (request: Request<unknown, unknown, unknown>, response) => {
      const delivery = {
        idempotencyKey: request.get('Idempotency-Key') ?? '',
        document: request.body as Buffer,
      }
      const failure = chooseFailure(platform, delivery)
      await answerThrough(platform, { response, failure }, () => submit(platform, delivery))
    },
  )
  router.get('/v1/submissions', async (request, response) => {
    const key = request.query['idempotencyKey']
    if (typeof key !== 'string') {
      response.json(platform.store.totals(platform.now()))
      return
    }
    const failure = platform.behaviour.drawFailure('read')
    await answerThrough(platform, { response, failure }, () =>
      present(platform.store.findByKey(key, platform.now())),
    )
  })
  router.get('/v1/submissions/:id', async (request, response) => {
    const failure = platform.behaviour.drawFailure('read')
    await answerThrough(platform, { response, failure }, () =>
      present(platform.store.findById(request.params.id, platform.now())),
    )
  })
  return router
}

const keyLengthMax = platformLimits.idempotencyKeyLength

const requireDocumentHeaders: RequestHandler = (request, response, next) => {
  const type = request.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/xml') {
    const message = 'Send the signed XML with Content-Type application/xml.'
    response.status(415).json({ code: 'UNSUPPORTED_MEDIA_TYPE', message })
    return
  }
  const key = request.get('Idempotency-Key') ?? ''
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > keyLengthMax) {
    const message = `Send an Idempotency-Key of 1 to ${keyLengthMax} visible ASCII characters.`
    response.status(400).json({ code: 'IDEMPOTENCY_KEY_MISSING', message })
    return
  }
  next()
}

const requireDocument: RequestHandler = ({ body }, response, next) => {
  if (Buffer.isBuffer(body) && body.length > 0) next()
  else {
    const message = 'The body must be the signed XML document.'
    response.status(400).json({ code: 'DOCUMENT_MISSING', message })
  }
}

function submit(
  platform: Platform,
  delivery: { idempotencyKey: string; document: Buffer },
): Answer {
  const receipt = receiveSubmission(platform, delivery)
  if (receipt.kind === 'busy') {
    const message = 'Too many submissions wait for a decision: try again later.'
    return { status: 503, body: { code: 'BUSY', message }, retryAfter: true }
  }
  const { submissionId, receivedAt, documentSha256 } = receipt.submission
  if (receipt.kind === 'conflict') {
    const message = 'This Idempotency-Key was used for another document.'
    return {
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT', message, submissionId, documentSha256 },
    }
  }
  return {
    status: 202,
    body: { submissionId, receivedAt: receivedAt.toISOString(), documentSha256 },
  }
}

function present(submission: Submission | undefined): Answer {
  if (!submission) {
    const message = 'No such submission was ever received.'
    return { status: 404, body: { code: 'SUBMISSION_NOT_FOUND', message } }
  }
  const { submissionId, documentSha256, receivedAt, decision } = submission
  const accepted = decision?.status === 'ACCEPTED' ? decision : undefined
  const rejected = decision?.status === 'REJECTED' ? decision : undefined
  return {
    status: 200,
    body: {
      submissionId,
      status: decision?.status ?? 'PROCESSING',
      reference: accepted?.reference ?? null,
      qrCode: accepted?.qrCode ?? null,
      qrPayload: accepted?.qrPayload ?? null,
      errorCode: rejected?.errorCode ?? null,
      errorMessage: rejected?.errorMessage ?? null,
      decidedAt: decision?.decidedAt.toISOString() ?? null,
      receivedAt: receivedAt.toISOString(),
      documentSha256,
    },
  }
}

interface Exchange {
  response: Response
  failure: FailureName | undefined
}

/** Answers with the result of `act`, unless the failure prevents `act` or its answer. */
async function answerThrough(
  platform: Platform,
  { response, failure: name }: Exchange,
  act: () => Answer,
): Promise<void> {
  const { answerLatencyMs, slowAnswerMs } = platform.behaviour.current()
  const failure = name && failures[name]
  const answer = failure?.injected === 'before' ? undefined : act()
  const delayMs = answerLatencyMs + (failure?.answer === 'late' ? slowAnswerMs : 0)
  if (delayMs > 0) await delay(delayMs)
  if (failure?.answer === 'cut') {
    response.socket?.destroy()
  } else if (failure?.answer === 'html') {
    response.status(200).type('html').send('<html><body>Maintenance en cours</body></html>')
  } else if (failure && failure.answer !== 'late') {
    send(platform, response, scripted(failure.answer))
  } else if (answer) {
    send(platform, response, answer)
  }
}

function scripted(answer: {
  status: number
  code: string
  message: string
  retryAfter?: true
}): Answer {
  const { status, code, message, retryAfter } = answer
  return { status, body: { code, message }, ...(retryAfter && { retryAfter }) }
}

function send(platform: Platform, response: Response, answer: Answer): void {
  if (answer.retryAfter) {
    response.set('Retry-After', String(platform.behaviour.current().retryAfterSeconds))
  }
  response.status(answer.status).json(answer.body)
}
