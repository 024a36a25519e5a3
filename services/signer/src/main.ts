import { ownAddresses as at } from '@einvoicing/runtime/address'
import { openHealthServer } from '@einvoicing/rpc/health-server'
import { runProcess } from '@einvoicing/rpc/service-process'
import { selfCheck } from '@einvoicing/rpc/readiness'
import { SignerService } from '@einvoicing/proto/signer'
import { readSignerConfig } from './config'
import { openSigner } from './service'

runProcess('signer', process.env, {
  read: (env, dataDir) => ({
    signer: readSignerConfig(env, dataDir),
    rpc: env.address('RPC_ADDRESS', at.signer.rpc),
    health: env.address('HEALTH_ADDRESS', at.signer.health),
  }),
  async open(settings, { now, log, closeAtEnd, serve }) {
    const health = closeAtEnd(await openHealthServer(settings.health, { log }))
    const { handlers } = closeAtEnd(await openSigner(settings.signer, { now, log }))
    await serve(SignerService, { address: settings.rpc, handlers })
    closeAtEnd(health.startServing(selfCheck('signer', (call) => handlers.checkSigner({}, call))))
  },
})
