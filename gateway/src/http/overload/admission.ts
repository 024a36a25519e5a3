/** Bounds requests in work, so that accepted ones are answered soon; others get 503. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Outage } from '@einvoicing/runtime/outage'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Response } from 'express'
import { Counter, Gauge } from 'prom-client'
import { jsonHeaders, sendBytes, toErrorEnvelope } from '../envelope'
import { readRequestId } from '../exchange'
import { discardRest, leavesMuchUnread } from '../linger'
import { monitoringPaths } from '../monitoring-paths'
import { securityHeaders } from '../security-headers'
import { MeasuredLimit, type LimitOptions } from './measured-limit'
import { OrganizationShare } from './organization-share'
import { RejectionPace } from './rejection-pace'
import { openSlot, type SlotCounter } from './slot'

const inFlightNow = new Gauge({
  name: 'einvoicing_requests_in_flight',
  help: 'Requests being worked on; those whose body is still arriving are not counted',
  registers: [metrics],
})
const rejections = new Counter({
  name: 'einvoicing_overload_refusals_total',
  help: 'Requests rejected because too many were being worked on or waited',
  registers: [metrics],
})

const admissionLimits: LimitOptions = { min: 40, max: 1_024, targetMs: 400 }

const windowMs = 250
// Share of time the event loop is busy, from which requests wait before they are read.
const busyFrom = 0.9
const retryAfterSeconds = 1
const rejectionWaitMaxMs = 1_000
// What a request costs, as a multiple of sending its answer: once its API key was read, or before.
const answeredWeight = 5
const rejectedWeight = 1
const message = `The service is overloaded; nothing was stored. Send the request again in ${retryAfterSeconds} second.`

export class Admission implements SlotCounter {
  private isBusy = false
  private utilization = performance.eventLoopUtilization()
  private readonly share = new OrganizationShare()
  private readonly pace = new RejectionPace({ waitMaxMs: rejectionWaitMaxMs })
  private readonly limit: MeasuredLimit
  private readonly timer: NodeJS.Timeout
  private readonly outage: Outage
  private readonly queueOutage: Outage

  constructor(log: Log, limits = admissionLimits) {
    this.limit = new MeasuredLimit(limits)
    this.outage = new Outage({
      log,
      startMessage: 'overloaded: rejecting requests',
      endMessage: 'no longer overloaded',
    })
    this.queueOutage = new Outage({
      log,
      startMessage: 'queue overloaded: rejecting requests',
      endMessage: 'queue no longer overloaded',
    })
    this.timer = setInterval(() => this.measure(), windowMs).unref()
  }

  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      // Never rejected: an overload must be seen.
      if (monitoringPaths.test(request.url ?? '')) {
        listener(request, response)
        return
      }
      const owner = this.share.findOwner(request, this.limit.value)
      if (this.share.isFull(owner, this.limit.value)) this.reject(request, response)
      else {
        openSlot(this, response, owner)
        if (this.isBusy) afterNextPoll(() => this.start(listener, request, response))
        else listener(request, response)
      }
    }
  }

  enter(organizationId: string | undefined): void {
    this.share.enter(organizationId)
  }

  leave(organizationId: string | undefined): void {
    this.share.leave(organizationId)
  }

  countFinished(workedMs: number, isAnswered: boolean): void {
    this.limit.countFinished(workedMs, isAnswered)
  }

  admit(organizationId: string, keyDigest: Uint8Array | undefined): void {
    if (keyDigest) this.share.rememberOwner(keyDigest, organizationId)
    if (!this.share.exceedsShare(organizationId, this.limit.value)) return
    this.countRejection()
    throw createOverloadedError()
  }

  /** The measured limit stays: fewer slots would not help those that hold none. */
  countQueueRejection(queue: string): void {
    rejections.inc()
    this.queueOutage.failed(queue, { queue })
  }

  sendPaced(response: ServerResponse, send: () => void, weight = answeredWeight): void {
    const { req: request } = response
    // To discard what is still to come would take longer than the answer may wait.
    if (leavesMuchUnread(request)) {
      send()
      return
    }
    discardRest(request)
    const sendUnlessAnswered = () => {
      // It may have been answered already, if its body did not arrive in time.
      if (!response.destroyed && !response.headersSent) send()
    }
    this.pace.add(request.socket, sendUnlessAnswered, weight)
  }

  close(): void {
    clearInterval(this.timer)
  }

  private start(
    listener: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    // The client left while its request waited.
    if (request.socket.writableEnded) request.socket.destroy()
    // The request may have been answered already, if bytes after it were not HTTP.
    if (!request.socket.destroyed && !response.headersSent) listener(request, response)
  }

  private reject(request: IncomingMessage, response: ServerResponse): void {
    this.countRejection()
    const headers = { 'X-Request-Id': readRequestId(request), ...rejectionHeaders }
    const send = () => sendBytes(response as Response, { status: 503, headers, body })
    this.sendPaced(response, send, rejectedWeight)
  }

  private countRejection(): void {
    rejections.inc()
    this.limit.countRejected()
    const inFlight = this.share.requestsInFlight
    this.outage.failed('requests', { inFlight, limit: this.limit.value })
  }

  private measure(): void {
    this.limit.measure()
    if (!this.limit.isOverloaded) this.outage.recovered('requests')
    this.queueOutage.expire()
    inFlightNow.set(this.share.requestsInFlight)
    const utilization = performance.eventLoopUtilization()
    this.isBusy =
      performance.eventLoopUtilization(utilization, this.utilization).utilization > busyFrom
    this.utilization = utilization
  }
}

/** After two polls every connection was read once more, so a client that has left is known. */
function afterNextPoll(then: () => void): void {
  setImmediate(() => setImmediate(then))
}

export function createOverloadedError(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
}

const body = Buffer.from(JSON.stringify(toErrorEnvelope(createOverloadedError())))
const rejectionHeaders = {
  ...securityHeaders,
  ...jsonHeaders,
  'Retry-After': retryAfterSeconds,
}
