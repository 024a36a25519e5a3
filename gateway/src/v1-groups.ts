import { artefactRoutes, type ArtefactRouteDeps } from './artefacts/routes'
import { invoiceAndPreviewRoutes } from './artefacts/preview'
import type { InvoiceRouteDeps } from './invoices/routes'
import type { ApiGroup } from './routes/api-route'

const base = '/v1/invoices'

export const v1Groups: ApiGroup<InvoiceRouteDeps & ArtefactRouteDeps>[] = [
  { base, tag: 'Invoices', caller: 'key', table: invoiceAndPreviewRoutes },
  { base, tag: 'Artefacts', caller: 'key', table: artefactRoutes },
]
