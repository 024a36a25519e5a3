/**
 * Readiness: each dependency asked by its own check, as the service that depends on it would ask.
 */

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
  const { organizations, invoices, signer, artefacts } = services
  const checked = (check: Promise<unknown>) => check.then(() => undefined)
  return {
    organizations: () => checked(organizations.checkOrganizations({}, as('gateway'))),
    invoices: () => checked(invoices.checkInvoices({}, as('gateway'))),
    signer: () => checked(signer.checkSigner({}, as('invoices'))),
    artefacts: () => checked(artefacts.checkArtefacts({}, as('gateway'))),
  }
}
