// Authentication and rate limit come before the path, so that a client without a key learns
// nothing.

import type { RequestListener } from 'node:http'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Log } from '@einvoicing/runtime/log'
import { ApiError } from '@einvoicing/domain/api-error'
import express, { type Express, type Request, type Response } from 'express'
import { authenticateByApiKey } from './authenticate'
import type { TrustProxy } from './config'
import { createDashboardRouter, dashboardBase, type DashboardDeps } from './dashboard/routes'
import { healthRoutes, type HealthDeps } from './health'
import { findAmbiguity } from './http/server/ambiguous-request'
import { createMessageClasses } from './http/server/express-messages'
import type { RequestHandling } from './http/server/server'
import { BodyMemory } from './http/body-memory'
import { beginExchange, getExchange } from './http/exchange'
import { createNotFound, sendError } from './http/error-to-http'
import { logWhenDone } from './http/request-log'
import { createRouter } from './http/route-table'
import { setSecurityHeaders } from './http/security-headers'
import { answerUndecodableId } from './invoices/invoice-id'
import { openApiRoutes } from './openapi/routes'
import { pageRoutes } from './pages'
import type { RateLimit } from './rate-limit/rate-limit'
import { createGroupRouter } from './routes/api-route'
import { v1Groups, type V1Deps } from './v1-groups'
import {
  answerUndecodableToken,
  verificationPageRoutes,
  type VerificationPageDeps,
} from './verification-page/routes'
import { securityTxtRoutes, type SecurityTxtDeps } from './security-txt'

export interface AppDeps
  extends DashboardDeps, HealthDeps, SecurityTxtDeps, V1Deps, VerificationPageDeps {
  rateLimit: RateLimit
  trustProxy: TrustProxy
  bodyMemoryBytes: number
  log: Log
}

export function createApp(deps: AppDeps): RequestHandling {
  const app = routes(deps)
  const bodyMemory = new BodyMemory(deps.bodyMemoryBytes)
  const listener: RequestListener = (request, response) => {
    beginExchange(request, response, bodyMemory)
    setSecurityHeaders(response)
    logWhenDone(request, response, deps.log)
    const expressRequest = request as Request
    const expressResponse = response as Response
    const ambiguity = findAmbiguity(request)
    if (ambiguity !== undefined) {
      // Where the next request begins is unknown.
      response.shouldKeepAlive = false
      sendError(expressResponse, new ApiError('BAD_REQUEST', ambiguity), deps.log)
      return
    }
    app(expressRequest, expressResponse, (thrown?: unknown) =>
      sendError(expressResponse, thrown ?? createNotFound(), deps.log),
    )
  }
  return { listener, messages: createMessageClasses(app) }
}

function routes(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  // Queries are parsed by the routes that have them, from the URL.
  app.set('query parser', false)
  if (deps.trustProxy !== undefined) app.set('trust proxy', deps.trustProxy)

  app.use((request, response, next) => {
    getExchange(response).network = clientNetwork(request.ip ?? '')
    next()
  })
  app.use('/v1', authenticateByApiKey(deps))
  for (const [base, groups] of groupByBase()) {
    app.use(base, createGroupRouter(groups, deps))
  }
  app.use('/v1/invoices', answerUndecodableId)
  // After /v1, where nearly all requests go: each router before it is tried for each of them.
  app.use(
    createRouter('', { ...healthRoutes(deps), ...openApiRoutes(deps), ...securityTxtRoutes(deps) }),
  )
  app.use('/v', createRouter('/v', verificationPageRoutes(deps)), answerUndecodableToken)
  app.use(dashboardBase, createDashboardRouter(deps))
  // Last: API clients request no pages.
  app.use(createRouter('', pageRoutes(deps)))
  return app
}

function groupByBase(): Map<string, typeof v1Groups> {
  const bases = new Map<string, typeof v1Groups>()
  for (const group of v1Groups) bases.set(group.base, [...(bases.get(group.base) ?? []), group])
  return bases
}
