/**
 * Look-ups of API keys, shared by the requests that wait for one: the look-up that answers a
 * request always begins after the request came, so it sees every revocation answered before.
 */

import { BatchedCalls } from '@einvoicing/rpc/batched-calls'
import type { Call, Service } from '@einvoicing/rpc/call'
import { sendTogether, settleItem } from '@einvoicing/rpc/item-error'
import type { Authentication, OrganizationsService } from '@einvoicing/proto/organizations'
import { unauthenticated } from './http/exchange'

export type KeyLookUpService = Pick<
  Service<OrganizationsService>,
  'authenticate' | 'authenticateKeys'
>

const options = {
  what: 'The service',
  keyOf: (keySha256: Buffer) => keySha256.toString('latin1'),
  // What one `AuthenticateKeys` takes.
  itemsMax: 100,
  // More than there may be connections.
  waitingMax: 10_000,
  callsAtOnce: 1,
  slowAfterMs: 50,
} as const

/** API_KEY_INVALID for a key unknown or revoked. */
export function createKeyLookUp(
  service: KeyLookUpService,
): (keySha256: Buffer, call: Call) => Promise<Authentication> {
  const send = sendTogether<Buffer, Authentication>({
    one: (keySha256, call) => service.authenticate({ keySha256 }, call),
    async several(batch, call) {
      const keysSha256 = batch.map(({ item }) => item)
      const { answers } = await service.authenticateKeys({ keysSha256 }, call)
      return answers.map(({ authentication, error }) => settleItem(authentication, error))
    },
  })
  const calls = new BatchedCalls(send, options)
  return (keySha256, call) => calls.add(keySha256, { ...call, caller: unauthenticated })
}
