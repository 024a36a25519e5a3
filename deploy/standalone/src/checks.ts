/** Readiness: each dependency asked by its own check, as the service that depends on it would ask. */

import { randomUUID } from 'node:crypto'
import type { ServiceName } from '@einvoicing/kernel/caller'
import type { Call, Service } from '@einvoicing/kernel/rpc'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { SignerService } from '@einvoicing/proto/signer'

const checkDeadlineMs = 2_000

export interface Dependencies {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
  signer: Service<SignerService>
  artefacts: Service<ArtefactsService>
}

export function dependencyChecks(services: Dependencies): Record<string, () => Promise<void>> {
  const as = (service: ServiceName): Call => ({
    caller: { service, actor: `service:${service}` },
    requestId: randomUUID(),
    deadline: Date.now() + checkDeadlineMs,
  })
  return {
    organizations: async () =>
      void (await services.organizations.checkOrganizations({}, as('gateway'))),
    invoices: async () => void (await services.invoices.checkInvoices({}, as('gateway'))),
    signer: async () => void (await services.signer.checkSigner({}, as('invoices'))),
    artefacts: async () => void (await services.artefacts.checkArtefacts({}, as('gateway'))),
  }
}
