import { ownAddresses as at } from '@einvoicing/runtime/address'
import { runProcess } from '@einvoicing/rpc/service-process'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { readGatewayConfig } from './config'
import { openGateway } from './service'

runProcess('gateway', process.env, {
  read: (env, dataDir) => ({
    gateway: readGatewayConfig(env, dataDir),
    organizations: env.peer('ORGANIZATIONS_ADDRESS', at.organizations.rpc),
    invoices: env.peer('INVOICES_ADDRESS', at.invoices.rpc),
    artefacts: env.peer('ARTEFACTS_ADDRESS', at.artefacts.rpc),
  }),
  async open(settings, { now, log, closeAtEnd, connect }) {
    const organizations = connect(OrganizationsService, settings.organizations)
    const invoices = connect(InvoicesService, settings.invoices)
    const artefacts = connect(ArtefactsService, settings.artefacts)
    const services = { organizations, invoices, artefacts }
    const { url } = closeAtEnd(await openGateway(settings.gateway, { ...services, now, log }))
    log.info({ url }, 'HTTP server listening')
  },
})
