/**
 * Bounds how many requests are worked on at once, so that under any load those that are accepted
 * are answered soon and the others are refused at once (503, `Retry-After`), before they cost
 * anything.
 *
 * The bound follows from Little's law: as many as are finished in `targetMs`. It is measured four
 * times a second where there are more than that, and rises by itself where there are not.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { digestApiKey, isWellFormedApiKey } from '@einvoicing/access/api-key'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Outage } from '@einvoicing/runtime/outage'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Response } from 'express'
import { Counter, Gauge } from 'prom-client'
import { jsonHeaders, sendBytes } from './envelope'
import { requestIdOf } from './exchange'
import { securityHeaders } from './security-headers'

const inFlightNow = new Gauge({
  name: 'einvoicing_requests_in_flight',
  help: 'Requests being worked on; those whose body is still arriving are not counted',
  registers: [metrics],
})
const limitNow = new Gauge({
  name: 'einvoicing_requests_in_flight_limit',
  help: 'How many requests may be worked on at once, as measured',
  registers: [metrics],
})
const refusals = new Counter({
  name: 'einvoicing_overload_refusals_total',
  help: 'Requests refused at once because too many were being worked on',
  registers: [metrics],
})

export interface AdmissionLimits {
  min: number
  max: number
  /** How long an accepted request may take because of all the others. */
  targetMs: number
}

export const admissionLimits: AdmissionLimits = { min: 40, max: 1_024, targetMs: 400 }

const windowMs = 250
/** Share of the time in which the event loop has work: from here on requests wait to be read. */
const busyFrom = 0.9
/** Of the slots that are free, as many as this may be held by one organization. */
const shareOfFree = 4
/** Of all slots, how many more there are for organizations that hold none. */
const reserved = 0.25
const keysKnownMax = 10_000
const retryAfterSeconds = 1
const message = `The service has more requests than it can answer in time; nothing was stored. Send the request again in ${retryAfterSeconds} second.`

/** These are asked when there is trouble, and are never refused. */
const operations = /^\/(livez|servingz|readyz|metrics)(\?|$)/

export class Admission {
  private inFlight = 0
  /** Of these, those whose organization is known. */
  private assigned = 0
  private limit: number
  private answered = 0
  private finished = 0
  private finishedMs = 0
  private refused = 0
  private isBusy = false
  private utilization = performance.eventLoopUtilization()
  private windowBeganAt = performance.now()
  private readonly held = new Map<string, number>()
  /**
   * Whose key had which digest when it was last accepted. Used to refuse early, never to let
   * anybody in.
   */
  private readonly owners = new Map<string, string>()
  private readonly timer: NodeJS.Timeout
  private readonly outage: Outage
  private readonly limits: AdmissionLimits

  constructor(log: Log, limits = admissionLimits) {
    this.limits = limits
    this.limit = limits.max
    this.outage = new Outage({
      log,
      startMessage: 'overloaded: requests are refused',
      endMessage: 'not overloaded any more',
    })
    this.timer = setInterval(() => this.measure(), windowMs).unref()
  }

  /** Hands on what is accepted, and answers the rest. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (operations.test(request.url ?? '')) {
        listener(request, response)
        return
      }
      const owner = this.ownerOf(request)
      if (this.isFull(owner)) this.refuse(request, response)
      else {
        slots.set(response, new Slot(this, response, owner))
        if (this.isBusy) afterNextPoll(() => this.start(listener, request, response))
        else listener(request, response)
      }
    }
  }

  /** For `Slot`. */
  enter(organizationId: string | undefined): void {
    this.inFlight += 1
    if (organizationId !== undefined) this.hold(organizationId, 1)
  }

  /** For `Slot`. */
  leave(organizationId: string | undefined): void {
    this.inFlight -= 1
    if (organizationId !== undefined) this.hold(organizationId, -1)
  }

  /** For `Slot`. What nobody waited for any more was no use, and took its time all the same. */
  finish(workedMs: number, isAnswered: boolean): void {
    if (isAnswered) this.answered += 1
    this.finished += 1
    this.finishedMs += workedMs
  }

  /** For `Slot`. Throws where the organization holds more than its share. */
  admit(organizationId: string, keyDigest: Uint8Array | undefined): void {
    if (keyDigest) this.remember(keyDigest, organizationId)
    if (!this.exceedsShare(organizationId)) return
    this.countRefusal()
    throw new ApiError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
  }

  close(): void {
    clearInterval(this.timer)
  }

  private start(
    listener: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    // Gave up while its request waited to be read: there is nobody to answer.
    if (request.socket.writableEnded) request.socket.destroy()
    // What came behind it may have been no HTTP, and have been answered meanwhile.
    if (!request.socket.destroyed && !response.headersSent) listener(request, response)
  }

  private hold(organizationId: string, more: 1 | -1): void {
    this.assigned += more
    const held = (this.held.get(organizationId) ?? 0) + more
    if (held > 0) this.held.set(organizationId, held)
    else this.held.delete(organizationId)
  }

  private isFull(organizationId: string | undefined): boolean {
    if (this.inFlight < this.limit) {
      return organizationId !== undefined && this.exceedsShare(organizationId)
    }
    // A client we know, that has nothing under way, is let in past all the others.
    const mayPass = organizationId !== undefined && !this.held.has(organizationId)
    return !mayPass || this.inFlight >= this.limit * (1 + reserved)
  }

  /** So that some slots are always free for the next organization. */
  private exceedsShare(organizationId: string): boolean {
    const held = this.held.get(organizationId) ?? 0
    const freeAfter = this.limit - this.assigned - 1
    return held > 0 && held + 1 > shareOfFree * freeAfter
  }

  /** Only where it can matter: else nobody holds more than their share. */
  private ownerOf({ headers }: IncomingMessage): string | undefined {
    if (this.inFlight <= shareOfFree * (this.limit - this.inFlight)) return undefined
    const key = headers.authorization?.slice('Bearer '.length).trim()
    if (key === undefined || !isWellFormedApiKey(key)) return undefined
    return this.owners.get(textOf(digestApiKey(key)))
  }

  private remember(keyDigest: Uint8Array, organizationId: string): void {
    const name = textOf(keyDigest)
    if (this.owners.get(name) === organizationId) return
    const [oldest] = this.owners.keys()
    if (this.owners.size >= keysKnownMax && oldest !== undefined) this.owners.delete(oldest)
    this.owners.set(name, organizationId)
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    this.countRefusal()
    const headers = { ...refusalHeaders, 'X-Request-Id': requestIdOf(request) }
    sendBytes(response as Response, { status: 503, headers, body })
  }

  private countRefusal(): void {
    refusals.inc()
    this.refused += 1
    this.outage.failed('requests', { inFlight: this.inFlight, limit: this.limit })
  }

  private measure(): void {
    const now = performance.now()
    const elapsedMs = now - this.windowBeganAt
    const { min, max, targetMs } = this.limits
    const isSlow = this.finished > 0 && this.finishedMs / this.finished > targetMs
    if (this.refused > 0 || isSlow) {
      const inTarget = (this.answered / elapsedMs) * targetMs
      // Half of the way, so that one odd window does not swing it.
      this.limit = Math.max(min, Math.round((this.limit + Math.min(max, inTarget)) / 2))
    } else {
      this.limit = Math.min(max, Math.ceil(this.limit * 1.5))
      this.outage.recovered('requests')
    }
    this.answered = this.finished = this.finishedMs = this.refused = 0
    this.windowBeganAt = now
    inFlightNow.set(this.inFlight)
    const utilization = performance.eventLoopUtilization()
    this.isBusy =
      performance.eventLoopUtilization(utilization, this.utilization).utilization > busyFrom
    this.utilization = utilization
    limitNow.set(this.limit)
  }
}

/**
 * When every connection was read once more: a client that has left is known then. What is polled
 * is handled before the first of the two, and again before the second.
 */
function afterNextPoll(then: () => void): void {
  setImmediate(() => setImmediate(then))
}

/** What one request holds while it is worked on. */
export class Slot {
  private organizationId: string | undefined
  private isAuthenticated = false
  private isHeld = true
  private since = performance.now()
  private workedMs = 0
  private readonly admission: Admission
  private readonly response: ServerResponse

  /** `owner`: whose request it seems to be, if that is known yet. */
  constructor(admission: Admission, response: ServerResponse, owner: string | undefined) {
    this.admission = admission
    this.response = response
    this.organizationId = owner
    admission.enter(owner)
    const end = (): void => {
      if (this.release()) admission.finish(this.workedMs, response.writableEnded)
    }
    // The answer is made: how fast its reader takes it is no work of ours.
    response.once('prefinish', end)
    response.once('close', end)
  }

  /** Whose request it is, now that it is known. Throws where they hold more than their share. */
  assign(organizationId: string, keyDigest?: Uint8Array): void {
    if (this.isAuthenticated || !this.isHeld) return
    this.isAuthenticated = true
    if (this.organizationId === organizationId) return
    this.admission.admit(organizationId, keyDigest)
    this.admission.leave(this.organizationId)
    this.admission.enter(organizationId)
    this.organizationId = organizationId
  }

  /** What a client makes us wait for costs nothing meanwhile. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    const wasHeld = this.release()
    // Where this throws there is nothing left to do but to say so, however slowly that is read.
    const waitedFor = await wait()
    if (wasHeld && !this.response.destroyed && !this.response.writableEnded) this.take()
    return waitedFor
  }

  /** Also for an answer that goes on without an end of its own. */
  release(): boolean {
    if (!this.isHeld) return false
    this.isHeld = false
    this.workedMs += performance.now() - this.since
    this.admission.leave(this.organizationId)
    return true
  }

  private take(): void {
    this.isHeld = true
    this.since = performance.now()
    this.admission.enter(this.organizationId)
  }
}

const slots = new WeakMap<ServerResponse, Slot>()

/** Absent for what is never refused. */
export function slotOf(response: ServerResponse): Slot | undefined {
  return slots.get(response)
}

/** Waits for the client, without its slot. */
export function whileWaiting<T>(response: ServerResponse, wait: () => Promise<T>): Promise<T> {
  const slot = slots.get(response)
  return slot ? slot.whileWaiting(wait) : wait()
}

const body = Buffer.from(
  JSON.stringify({ code: 'SERVICE_UNAVAILABLE', message, data: null, errors: null }),
)
const refusalHeaders = { ...securityHeaders, ...jsonHeaders, 'Retry-After': retryAfterSeconds }

function textOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')
}
