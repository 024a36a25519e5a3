import { ownAddresses as at } from '@einvoicing/runtime/address'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { ArtefactsService } from '@einvoicing/proto/artefacts'
import { readArtefactsConfig } from './config'
import { openArtefacts, warnWithoutTimeStamps } from './service'

runProcess('artefacts', process.env, {
  read: (env, dataDir) => ({
    artefacts: readArtefactsConfig(env, dataDir),
    rpc: env.address('RPC_ADDRESS', at.artefacts.rpc),
    health: env.address('HEALTH_ADDRESS', at.artefacts.health),
  }),
  async open(settings, { now, log, closeAtEnd, serve }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    warnWithoutTimeStamps(settings.artefacts, log)
    const { handlers } = closeAtEnd(await openArtefacts(settings.artefacts, { now, log }))
    await serve(ArtefactsService, { address: settings.rpc, handlers })
    closeAtEnd(
      health.startServing(selfCheck('artefacts', (call) => handlers.checkArtefacts({}, call))),
    )
  },
})
