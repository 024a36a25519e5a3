/**
 * The dashboard's JSON API (design.md, section 6): accounts without a session, all the rest behind
 * one, and what changes something behind a role.
 */

import type { Service } from '@einvoicing/rpc/call'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import express, { type Router } from 'express'
import { artefactRoutes } from '../artefacts/routes'
import { createNotFound } from '../http/error-to-http'
import { createRouter, type RouteTable } from '../http/route-table'
import { answerUndecodableId } from '../invoices/invoice-id'
import { invoiceRoutes } from '../invoices/routes'
import type { RateLimit } from '../rate-limit/rate-limit'
import { accountRoutes } from './accounts'
import { apiKeyRoutes } from './api-keys'
import { auditRoutes } from './audit'
import { auditCsvRoutes } from './audit-csv'
import { authenticateBySession, authenticateSession } from './authenticate-session'
import { eventRoutes, type Authenticate, type EventDeps } from './events'
import { invitationRoutes } from './invitation'
import { memberRoutes } from './members'
import { organizationRoutes } from './organization'
import { overviewRoutes } from './overview'
import { passwordRoutes } from './password'
import { requireRoleForWrites } from './rights'
import { checkForgery, type SessionDeps } from './session'
import { timelineRoutes } from './timeline'

export interface DashboardDeps extends EventDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
  artefacts: Service<ArtefactsService>
  session: SessionDeps
  rateLimit: RateLimit
}

export const dashboardApi = '/dashboard/api'

export function dashboardRouter(deps: DashboardDeps): Router {
  const router = express.Router({ caseSensitive: true })
  router.use(checkForgery)
  router.use(createRouter(dashboardApi, { ...accountRoutes(deps), ...invitationRoutes(deps) }))
  router.use(authenticateBySession(deps))
  const authenticate: Authenticate = (...asked) => authenticateSession(deps, ...asked)
  const others = {
    ...passwordRoutes(deps),
    ...auditRoutes(deps),
    ...auditCsvRoutes(deps),
    ...eventRoutes(deps, authenticate),
    ...overviewRoutes(deps),
  }
  router.use(createRouter(dashboardApi, { ...ownersRoutes(deps), ...others }))
  const invoices = requireRoleForWrites('MEMBER', {
    ...invoiceRoutes({ ...deps, now: deps.session.now }),
    ...artefactRoutes(deps),
    ...timelineRoutes(deps),
  })
  router.use('/invoices', createRouter(`${dashboardApi}/invoices`, invoices), answerUndecodableId)
  // What follows is the page, which stands at every other address.
  router.use(() => {
    throw createNotFound()
  })
  return router
}

function ownersRoutes({ organizations }: DashboardDeps): RouteTable {
  return requireRoleForWrites('OWNER', {
    ...organizationRoutes(organizations),
    ...apiKeyRoutes(organizations),
    ...memberRoutes(organizations),
  })
}
