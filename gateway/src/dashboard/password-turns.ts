import { clientSite } from '@einvoicing/access/client-network'
import { deadlinesMs } from '@einvoicing/domain/limits'
import { Slots } from '@einvoicing/runtime/slots'
import type { Response } from 'express'
import { hasClientLeft, signalWhenClientLeaves } from '../http/client-left'
import { getExchange } from '../http/exchange'
import { createOverloadedError } from '../http/overload/admission'
import { findSlot, releaseWhileWaiting } from '../http/overload/slot'

const provedAtOnce = 200
const turns = new Slots({
  count: provedAtOnce,
  waitingMax: provedAtOnce,
  toError: createOverloadedError,
})

/**
 * For a call that waits for the hash of a password or of a recovery code: sites take turns, and no
 * slot is held (decisions 0164, 0170). Throws `SERVICE_UNAVAILABLE` after ten seconds, or when too many
 * wait.
 */
export async function inTurn<T>(response: Response, prove: () => Promise<T>): Promise<T> {
  const { network } = getExchange(response)
  const patience = AbortSignal.any([
    AbortSignal.timeout(deadlinesMs.rpc),
    signalWhenClientLeaves(response),
  ])
  const turn = { hasBegun: false }
  const proveInTurn = () => {
    turn.hasBegun = true
    return prove()
  }
  try {
    return await releaseWhileWaiting(response, () =>
      turns.run(clientSite(network), patience, proveInTurn),
    )
  } catch (error) {
    if (!turn.hasBegun && !hasClientLeft(response)) {
      findSlot(response)?.countRejection('passwords')
    }
    throw error
  }
}
