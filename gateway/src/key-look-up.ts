/** Requests share a look-up that begins after they came: it sees all earlier revocations. */

import { BatchedCalls } from '@einvoicing/rpc/batched-calls'
import type { Call, Service } from '@einvoicing/rpc/call'
import { sendTogether, settleItem } from '@einvoicing/rpc/item-error'
import { itemsMax } from '@einvoicing/rpc/message-size'
import type { Authentication, OrganizationsService } from '@einvoicing/proto/organizations'
import { unauthenticated } from './http/exchange'

export type KeyLookUpService = Pick<
  Service<OrganizationsService>,
  'authenticate' | 'authenticateKeys'
>

export interface LookedUpKey {
  keySha256: Buffer
  /** Of one of the requests; stored as that of the last use. */
  clientNetwork: string
}

const options = {
  what: 'The service',
  keyOf: ({ keySha256 }: LookedUpKey) => keySha256.toString('latin1'),
  itemsMax: itemsMax.keys,
  // More than there may be connections.
  waitingMax: 10_000,
  callsAtOnce: 1,
  slowAfterMs: 50,
} as const

/** API_KEY_INVALID for a key unknown or revoked. */
export function createKeyLookUp(
  service: KeyLookUpService,
): (key: LookedUpKey, call: Call) => Promise<Authentication> {
  const send = sendTogether<LookedUpKey, Authentication>({
    one: (key, call) => service.authenticate(key, call),
    async several(batch, call) {
      const keysSha256 = batch.map(({ item }) => item.keySha256)
      const clientNetworks = batch.map(({ item }) => item.clientNetwork)
      const request = { keysSha256, clientNetworks }
      const { answers } = await service.authenticateKeys(request, call)
      return answers.map(({ authentication, error }) => settleItem(authentication, error))
    },
  })
  const calls = new BatchedCalls(send, options)
  return (key, call) => calls.add(key, Object.assign({}, call, { caller: unauthenticated }))
}
