/** The organizations service as a process of its own. */

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
  async open(settings, { now, log, closeAtEnd: keep, serve }) {
    const health = keep(await openHealthServer(settings.health, { log }))
    const { handlers } = keep(await openOrganizations(settings.organizations, { now, log }))
    const door = { address: settings.rpc, handlers }
    await serve(OrganizationsService, door)
    keep(
      health.started(selfCheck('organizations', (call) => handlers.checkOrganizations({}, call))),
    )
  },
})
