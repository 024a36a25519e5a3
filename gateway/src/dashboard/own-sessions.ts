import { sessionNotFound } from '@einvoicing/domain/account-errors'
import { z } from 'zod'
import { listOf, nothingAnswer, time, uuid } from '../fields/answer-fields'
import { readFields } from '../fields/read-fields'
import { toZodSchema } from '../fields/rules'
import { idParameter, readPathId } from '../fields/uuid'
import { sendOk } from '../http/envelope'
import { createCall, getExchange, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { passwordRule } from './account-rules'
import { readClient } from './client'
import type { SessionRouteDeps } from './deps'
import { at, password } from './examples'
import { toOrigin } from './page-origin'
import {
  assertion,
  readOptions,
  requestOptionsExample,
  toAssertionText,
  passkeyOptionsAnswer,
} from './passkey-answers'
import { inTurn } from './password-turns'
import { checkOne, codeRule } from './second-factor-sign-in'
import { clearSessionCookie, setSessionCookie, readSession } from './session'

const confirmation = z
  .strictObject({
    password: toZodSchema<string>(passwordRule).optional(),
    code: toZodSchema<string>(codeRule, 'Six digits of the authenticator app.').optional(),
    passkey: assertion.optional(),
  })
  .meta({ minProperties: 1, maxProperties: 1 })

const list =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const { sessions } = await organizations.listSessions({ userId }, createCall(response))
    const content: z.infer<typeof sessionSchema>[] = sessions.map(
      ({ id, createdAt, lastSeenAt, network, device, current }) => {
        return { id, createdAt, lastSeenAt, network, device, current }
      },
    )
    sendOk(response, { content })
  }

const endOthers =
  ({ organizations }: SessionRouteDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const { count } = await organizations.endSessions({ userId }, createCall(response))
    sendOk(response, { ended: count })
  }

const endOne =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const sessionId = readPathId(request, sessionNotFound)
    const { userId } = getMember(response)
    await organizations.endSessions({ userId, sessionId }, createCall(response))
    if (sessionId === getExchange(response).caller.sessionId) clearSessionCookie(response, session)
    sendOk(response, {})
  }

const confirm =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const typed = await readFields(request, response, confirmation)
    checkOne(typed, 'password', 'is required, or code or passkey instead of it')
    const { userId } = getMember(response)
    const { clientAddress } = readClient(request)
    const { password = '', code, passkey: answer } = typed
    const passkey = answer && toAssertionText(answer)
    const origin = toOrigin(request, session)
    const proof = { userId, password, code, passkey, origin, clientAddress, replacesToken: true }
    const { sessionId } = await inTurn(response, () =>
      organizations.confirmSession(proof, createCall(response)),
    )
    // Absent in answers of the previous release.
    if (sessionId !== undefined) {
      setSessionCookie(response, { ...readSession(request, session), sessionId }, session)
    }
    sendOk(response, {})
  }

const offerConfirmation =
  ({ organizations, session }: SessionRouteDeps): Handle =>
  async (request, response) => {
    const { userId } = getMember(response)
    const place = { userId, origin: toOrigin(request, session) }
    const { options } = await organizations.offerPasskeyConfirmation(place, createCall(response))
    sendOk(response, readOptions(options))
  }

const sessionSchema = z.object({
  id: uuid,
  createdAt: time,
  lastSeenAt: time.describe('Accurate to one minute. Automatic requests do not count.'),
  network: z.string().describe('An IPv4 address, or the /64 of an IPv6 address.'),
  device: z.string().describe('The User-Agent of the browser.'),
  current: z.boolean().describe('Whether this is the session of the request.'),
})

export const endedSessionsAnswer = {
  name: 'EndedSessions',
  schema: z.object({ ended: z.int().min(0).describe('How many sessions were ended.') }),
  examples: { ended: { ended: 2 } },
}

const example = {
  id: '2f6a1c9e-7d43-4b18-9c5f-0a1b2c3d4e5f',
  createdAt: at,
  lastSeenAt: at,
  network: '192.0.2.17',
  device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0',
  current: true,
}

export const ownSessionRoutes: ApiTable<SessionRouteDeps> = {
  '/session/confirm': {
    POST: {
      handle: confirm,
      operationId: 'confirmSession',
      summary: 'Confirm your identity with your password, a code or a passkey.',
      description:
        'Valid for ten minutes in this session, like signing in. Only then can API keys, members, RIB, ICE, second factors and the email be changed, other sessions be ended, and an organization be left; otherwise 403 CONFIRMATION_REQUIRED. The session gets a new cookie, and the old cookie stops working. A wrong proof returns VALIDATION_ERROR and counts as a failed sign-in.',
      body: {
        name: 'Confirmation',
        schema: confirmation,
        examples: { confirmation: { password }, code: { code: '492039' } },
      },
      answer: { ...nothingAnswer, headers: ['Set-Cookie'] },
      errors: ['TOO_MANY_ATTEMPTS'],
    },
  },
  '/session/confirm/options': {
    POST: {
      handle: offerConfirmation,
      operationId: 'offerPasskeyConfirmation',
      summary: 'Get the WebAuthn options to confirm with a passkey.',
      description: 'Valid for five minutes, in this session, once.',
      answer: passkeyOptionsAnswer(requestOptionsExample),
    },
  },
  '/sessions': {
    GET: {
      handle: list,
      operationId: 'listSessions',
      summary: 'List your own open sessions.',
      description:
        'Most recently used first. A session ends after 30 minutes without use (the operator may set another time), and after 12 hours at the latest.',
      answer: {
        name: 'Sessions',
        schema: listOf(sessionSchema),
        examples: { sessions: { content: [example] } },
      },
    },
    DELETE: {
      handle: endOthers,
      operationId: 'endOtherSessions',
      summary: 'End all your other sessions.',
      description: 'Their cookies get 401 SESSION_INVALID from the next request on.',
      answer: endedSessionsAnswer,
      errors: ['CONFIRMATION_REQUIRED'],
    },
  },
  '/sessions/:id': {
    DELETE: {
      handle: endOne,
      operationId: 'endSession',
      summary: 'End one of your own sessions.',
      description: 'Its cookie gets 401 SESSION_INVALID from the next request on.',
      parameters: [idParameter('From GET sessions.')],
      answer: nothingAnswer,
      errors: ['SESSION_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
    },
  },
}
