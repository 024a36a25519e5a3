/**
 * Every request's way through the gateway, from top to bottom.
 *
 * Authentication and the rate come before anything about a path is told. Whatever is thrown,
 * anywhere, ends in `sendRefusal`: there is no other way out, so every answer has the envelope.
 */

import type { RequestListener } from 'node:http'
import type { Log } from '@einvoicing/kernel/log'
import { Refusal } from '@einvoicing/kernel/refusal'
import express, { type Express, type Request, type Response } from 'express'
import helmet from 'helmet'
import { artefactRoutes } from './artefacts/routes'
import { authenticateByApiKey } from './authenticate'
import type { TrustProxy } from './config'
import { dashboardApi, dashboardRouter, type DashboardDeps } from './dashboard/routes'
import { healthRoutes, type HealthDeps } from './health'
import { beginExchange } from './http/exchange'
import { notFound, sendRefusal } from './http/refusal-to-http'
import { logWhenDone } from './http/request-log'
import { routerOf } from './http/route-table'
import { answerUndecodableId } from './invoices/invoice-id'
import { invoiceRoutes } from './invoices/routes'
import { openApiRoutes } from './openapi/routes'
import { pageRoutes } from './pages'
import type { RateLimit } from './rate-limit'
import { securityTxtRoutes, type SecurityTxtDeps } from './security-txt'

export interface AppDeps extends DashboardDeps, HealthDeps, SecurityTxtDeps {
  rateLimit: RateLimit
  trustProxy: TrustProxy
  log: Log
}

/** For `http.createServer`. */
export function createApp(deps: AppDeps): RequestListener {
  const app = routes(deps)
  return (request, response) => {
    beginExchange(request, response)
    logWhenDone(request, response, deps.log)
    const expressRequest = request as Request
    const expressResponse = response as Response
    if (lacksHost(expressRequest)) {
      const refusal = new Refusal(
        'BAD_REQUEST',
        'An HTTP/1.1 request needs a Host header: send one.',
      )
      sendRefusal(expressResponse, refusal, deps.log)
      return
    }
    app(expressRequest, expressResponse, (thrown?: unknown) =>
      sendRefusal(expressResponse, thrown ?? notFound(), deps.log),
    )
  }
}

function routes(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  // Queries are read where they are asked for, from the URL.
  app.set('query parser', false)
  if (deps.trustProxy !== undefined) app.set('trust proxy', deps.trustProxy)

  app.use(securityHeaders())
  app.use(routerOf('', { ...healthRoutes(deps), ...openApiRoutes(), ...securityTxtRoutes(deps) }))
  app.use('/v1', authenticateByApiKey(deps))
  app.use(
    '/v1/invoices',
    routerOf('/v1/invoices', { ...invoiceRoutes(deps), ...artefactRoutes(deps) }),
    answerUndecodableId,
  )
  app.use(dashboardApi, dashboardRouter(deps))
  // Last, because they are many, and programs ask for none of them.
  app.use(routerOf('', pageRoutes()))
  return app
}

function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      directives: {
        // The service starts on plain HTTP; who terminates TLS before it decides for the browser.
        upgradeInsecureRequests: null,
        // Nothing of ours is inline or from elsewhere.
        fontSrc: ["'self'"],
        styleSrc: ["'self'"],
      },
    },
  })
}

// RFC 9112, section 3.2: checked here because the server's own check answers without an envelope.
function lacksHost({ httpVersion, headers }: Request): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}
