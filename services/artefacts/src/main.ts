/** The artefacts service as a process of its own. */

import { ownAddresses as at } from '@einvoicing/runtime/address'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { readArtefactsConfig } from './config'
import { openArtefacts } from './service'

runProcess('artefacts', process.env, {
  read: (env, dataDir) => ({
    artefacts: readArtefactsConfig(env, dataDir),
    rpc: env.address('RPC_ADDRESS', at.artefacts.rpc),
    health: env.address('HEALTH_ADDRESS', at.artefacts.health),
  }),
  async open(settings, { now, log, closeAtEnd: keep, serve }) {
    const health = keep(await openHealthServer(settings.health, { log }))
    const { handlers } = keep(await openArtefacts(settings.artefacts, { now, log }))
    const door = { address: settings.rpc, handlers }
    await serve(ArtefactsService, door)
    keep(health.started(selfCheck('artefacts', (call) => handlers.checkArtefacts({}, call))))
  },
})
