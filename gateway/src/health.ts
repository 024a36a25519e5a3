import { metrics } from '@einvoicing/runtime/metrics'
import { unavailableEssentials, presentReadiness } from '@einvoicing/rpc/readiness'
import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import type { Environment } from '@einvoicing/domain/environment'
import type { Readiness } from '@einvoicing/proto/readiness'
import type { Request, Response } from 'express'
import { sendBytes, sendOk } from './http/envelope'
import type { Handle, RouteTable } from './http/route-table'

export interface HealthDeps {
  readiness: () => Promise<Readiness>
  isDraining: () => boolean
  /** False: they are on the operations port only. */
  withDetails: boolean
  environment: Environment
}

export function healthRoutes(deps: HealthDeps): RouteTable {
  return {
    '/livez': { GET: (_, response) => sendOk(response, { status: 'live' }) },
    '/servingz': { GET: answerServing(deps) },
    '/readyz': { GET: answerReadiness(deps) },
    ...(deps.withDetails && { '/metrics': { GET: answerMetrics } }),
  }
}

async function answerMetrics(_: Request, response: Response): Promise<void> {
  const body = await metrics.metrics()
  sendBytes(response, { status: 200, headers: { 'Content-Type': metrics.contentType }, body })
}

/** Does not probe the services. */
function answerServing({ isDraining }: HealthDeps): Handle {
  return (_, response) => {
    if (isDraining()) throw notReady([isStopping])
    sendOk(response, { status: 'serving' })
  }
}

const isStopping: FieldError = { field: 'gateway', message: 'is stopping' }

function answerReadiness({ readiness, isDraining, ...deps }: HealthDeps): Handle {
  const { environment, withDetails } = deps
  return async (_, response) => {
    const found = await readiness()
    if (isDraining()) throw notReady([isStopping])
    const missing = unavailableEssentials(found)
    if (missing.length > 0) {
      const fieldErrors = missing.map(({ name, problem }) => ({
        field: name,
        message: problem,
      }))
      throw notReady(withDetails ? fieldErrors : [])
    }
    const { status, dependencies } = presentReadiness(found)
    sendOk(response, { status, environment, ...(withDetails && { dependencies }) })
  }
}

function notReady(fieldErrors: FieldError[]): ApiError {
  const names = fieldErrors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new ApiError('SERVICE_UNAVAILABLE', names ? `Not ready: ${names}.` : 'Not ready.', {
    ...(names && { fieldErrors }),
    retryAfterSeconds: 5,
  })
}
