import { artefactRoutes, type ArtefactRouteDeps } from './artefacts/routes'
import { invoiceAndPreviewRoutes } from './artefacts/preview'
import type { InvoiceRouteDeps } from './invoices/routes'
import { verificationRoutes, type VerificationDeps } from './verification/routes'
import type { ApiGroup } from './routes/api-route'

const base = '/v1/invoices'

export type V1Deps = InvoiceRouteDeps & ArtefactRouteDeps & VerificationDeps

export const v1Groups: ApiGroup<V1Deps>[] = [
  { base, tag: 'Invoices', caller: 'key', table: invoiceAndPreviewRoutes },
  { base, tag: 'Artefacts', caller: 'key', table: artefactRoutes },
  { base: '/v1/verify', tag: 'Verification', caller: 'key', table: verificationRoutes },
]
