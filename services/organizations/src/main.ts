import { ownAddresses as at } from '@einvoicing/runtime/address'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { readOrganizationsConfig } from './config'
import { openOrganizations } from './service'

runProcess('organizations', process.env, {
  read: (env, dataDir) => ({
    organizations: readOrganizationsConfig(env, dataDir),
    artefacts: env.peer('ARTEFACTS_ADDRESS', at.artefacts.rpc),
    rpc: env.address('RPC_ADDRESS', at.organizations.rpc),
    health: env.address('HEALTH_ADDRESS', at.organizations.health),
  }),
  async open(settings, { now, log, closeAtEnd, connect, serve }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    const artefacts = connect(ArtefactsService, settings.artefacts)
    const deps = { now, log, artefacts }
    const { handlers } = closeAtEnd(await openOrganizations(settings.organizations, deps))
    await serve(OrganizationsService, { address: settings.rpc, handlers })
    closeAtEnd(
      health.startServing(
        selfCheck('organizations', (call) => handlers.checkOrganizations({}, call)),
      ),
    )
  },
})
