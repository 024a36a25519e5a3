import { clientNetwork } from '@einvoicing/access/client-network'
import { ApiError } from '@einvoicing/domain/api-error'
import { metrics } from '@einvoicing/runtime/metrics'
import { Counter } from 'prom-client'
import type { Deps } from './deps'
import type { User } from './store/store'

const failures = new Counter({
  name: 'einvoicing_sign_in_failures_total',
  help: 'Failed sign-ins and confirmations of the dashboard, by error code',
  labelNames: ['code'] as const,
  registers: [metrics],
})

export interface Proving {
  user: User | undefined
  clientAddress: string
  requestId: string
}

/** An unknown email is not logged: it may be a password in the wrong field. */
export async function noteFailures<T>(
  { failedSignIns, log }: Pick<Deps, 'failedSignIns' | 'log'>,
  { user, clientAddress, requestId }: Proving,
  prove: () => Promise<T>,
): Promise<T> {
  try {
    return await prove()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code } = error
    failures.inc({ code })
    if (code === 'SERVICE_UNAVAILABLE') throw error
    const network = clientNetwork(clientAddress)
    const { id: userId, organizationId } = user ?? {}
    log.warn({ requestId, code, network, userId, organizationId }, 'sign-in failed')
    if (user) failedSignIns.note(user, network)
    throw error
  }
}
