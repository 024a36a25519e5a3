import express, { type Router } from 'express'
import { artefactRoutes, type ArtefactRouteDeps } from '../artefacts/routes'
import { invoiceAndPreviewRoutes } from '../artefacts/preview'
import { createNotFound } from '../http/error-to-http'
import { answerUndecodableId } from '../invoices/invoice-id'
import type { InvoiceRouteDeps } from '../invoices/routes'
import type { RateLimit } from '../rate-limit/rate-limit'
import { createGroupRouter, type ApiGroup } from '../routes/api-route'
import { accountRoutes } from './accounts'
import { apiKeyRoutes } from './api-keys'
import { auditRoutes, type AuditDeps } from './audit'
import { auditCsvRoutes } from './audit-csv'
import { authenticateBySession, limitSession } from './authenticate-session'
import type { AccountDeps } from './deps'
import { emailChangeRoutes, emailRoutes } from './email'
import { eventRoutes, type EventDeps } from './events'
import { invitationRoutes } from './invitation'
import { memberRoutes } from './members'
import { membershipRoutes } from './memberships'
import { organizationRoutes } from './organization'
import { ownSessionRoutes } from './own-sessions'
import { overviewRoutes } from './overview'
import { passwordRoutes } from './password'
import { secondFactorSignInRoutes } from './second-factor-sign-in'
import { secondFactorRoutes, secondFactorRuleRoutes } from './second-factors'
import { checkForgery } from './session'
import { timelineRoutes } from './timeline'

type RouteDeps = AccountDeps & ArtefactRouteDeps & AuditDeps & EventDeps & InvoiceRouteDeps

export type DashboardDeps = RouteDeps & { rateLimit: RateLimit }

export const dashboardBase = '/dashboard/api'
const base = dashboardBase
const invoicesBase = `${base}/invoices`
const session = { tag: 'Dashboard', caller: 'session' } as const

const accountGroup: ApiGroup<RouteDeps> = {
  base,
  tag: 'Dashboard',
  caller: 'anyone',
  table: { ...accountRoutes, ...secondFactorSignInRoutes, ...invitationRoutes, ...emailRoutes },
}

const ownerGroup: ApiGroup<RouteDeps> = {
  ...session,
  base,
  writeRole: 'OWNER',
  table: { ...organizationRoutes, ...secondFactorRuleRoutes, ...apiKeyRoutes, ...memberRoutes },
}

const memberGroup: ApiGroup<RouteDeps> = {
  ...session,
  base,
  table: {
    ...passwordRoutes,
    ...emailChangeRoutes,
    ...ownSessionRoutes,
    ...membershipRoutes,
    ...secondFactorRoutes,
    ...auditRoutes,
    ...auditCsvRoutes,
    ...eventRoutes,
    ...overviewRoutes,
  },
}

const ofInvoices = { ...session, base: invoicesBase, writeRole: 'MEMBER' } as const

const invoiceGroups: ApiGroup<RouteDeps>[] = [
  { ...ofInvoices, idPrefix: 'dashboard-', table: invoiceAndPreviewRoutes },
  { ...ofInvoices, idPrefix: 'dashboard-', table: artefactRoutes },
  { ...ofInvoices, table: timelineRoutes },
]

export const dashboardGroups = [accountGroup, ownerGroup, memberGroup, ...invoiceGroups]

export function createDashboardRouter(deps: DashboardDeps): Router {
  const router = express.Router({ caseSensitive: true })
  router.use(checkForgery)
  router.use(limitSession(deps))
  router.use(createGroupRouter([accountGroup], deps))
  router.use(authenticateBySession(deps))
  router.use(createGroupRouter([ownerGroup, memberGroup], deps))
  router.use('/invoices', createGroupRouter(invoiceGroups, deps), answerUndecodableId)
  // Any other path below /dashboard is the page.
  router.use(() => {
    throw createNotFound()
  })
  return router
}
