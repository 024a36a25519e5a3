import { ownAddresses as at } from '@einvoicing/runtime/address'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { OrganizationsService } from '@einvoicing/proto/organizations'
import { readOrganizationsConfig } from './config'
import { openOrganizations } from './service'

runProcess('organizations', process.env, {
  read: (env, dataDir) => ({
    organizations: readOrganizationsConfig(env, dataDir),
    rpc: env.address('RPC_ADDRESS', at.organizations.rpc),
    health: env.address('HEALTH_ADDRESS', at.organizations.health),
  }),
  async open(settings, { now, log, closeAtEnd, serve }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    const { handlers } = closeAtEnd(await openOrganizations(settings.organizations, { now, log }))
    await serve(OrganizationsService, { address: settings.rpc, handlers })
    closeAtEnd(
      health.started(selfCheck('organizations', (call) => handlers.checkOrganizations({}, call))),
    )
  },
})
