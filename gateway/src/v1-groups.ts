import { artefactRoutes, type ArtefactRouteDeps } from './artefacts/routes'
import { invoiceRoutes, type InvoiceRouteDeps } from './invoices/routes'
import type { ApiGroup } from './routes/api-route'

const base = '/v1/invoices'

export const v1Groups: ApiGroup<InvoiceRouteDeps & ArtefactRouteDeps>[] = [
  { base, tag: 'Invoices', caller: 'key', table: invoiceRoutes },
  { base, tag: 'Artefacts', caller: 'key', table: artefactRoutes },
]
