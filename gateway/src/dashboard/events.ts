// A stream ends after its lifetime; the browser reconnects with its last id and gets the changes
// since.

import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { InvoiceChange } from '@einvoicing/proto/invoices'
import type { Request, Response } from 'express'
import { hasClientLeft } from '../http/client-left'
import { getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { readQuery } from '../fields/read-query'
import type { SessionRouteDeps } from './deps'
import { EventStream, formatEvent, streamHeaders } from './event-stream'
import { subtractMs, InvoiceFeed, lookBackMs, type Cursor, type FeedDeps } from './invoice-feed'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { z } from 'zod'
import { textOneOf, time, uuid } from '../fields/answer-fields'
import { answerExamples } from '../invoices/examples'
import type { ApiTable, Parameter } from '../routes/api-route'
import { authenticateSession } from './authenticate-session'
import { at } from './examples'

export interface EventTimes {
  heartbeatMs: number
  patienceMs: number
  lifetimeMs: number
}

export const eventTimes: EventTimes = {
  heartbeatMs: 15_000,
  patienceMs: 10_000,
  lifetimeMs: 15 * 60_000,
}

const retryMs = 3_000
const retryAfterSeconds = 30

// After a longer absence the client reads its list again.
const resumableMs = 60 * 60_000
const replayedMax = 10_000

export class InvoiceEvents {
  private readonly feeds = new Map<string, InvoiceFeed>()
  private readonly streams = new Set<EventStream>()
  private readonly members = new Map<string, number>()
  private isClosed = false
  readonly times: EventTimes
  private readonly deps: FeedDeps

  constructor(deps: FeedDeps, times = eventTimes) {
    this.deps = deps
    this.times = times
  }

  /** Throws `TOO_MANY_STREAMS`. */
  openFeed(organizationId: string, userId: string): InvoiceFeed {
    if ((this.members.get(userId) ?? 0) >= limits.eventStreamsOfMember)
      throw tooManyStreamsOfMember()
    const feed = this.feeds.get(organizationId) ?? new InvoiceFeed(organizationId, this.deps)
    if (feed.listenerCount >= limits.eventStreams) throw tooManyStreams()
    this.feeds.set(organizationId, feed)
    return feed
  }

  dropIdleFeed(organizationId: string): void {
    if (this.feeds.get(organizationId)?.listenerCount === 0) this.feeds.delete(organizationId)
  }

  addStream(stream: EventStream, userId: string): void {
    this.streams.add(stream)
    this.members.set(userId, (this.members.get(userId) ?? 0) + 1)
    // The client reconnects, to another gateway.
    if (this.isClosed) stream.end()
  }

  removeStream(stream: EventStream, userId: string): void {
    if (!this.streams.delete(stream)) return
    const left = (this.members.get(userId) ?? 1) - 1
    if (left > 0) this.members.set(userId, left)
    else this.members.delete(userId)
  }

  close(): void {
    this.isClosed = true
    for (const stream of this.streams) stream.end()
  }
}

export interface EventDeps extends SessionRouteDeps {
  events: InvoiceEvents
}

export type Authenticate = (request: Request, response: Response) => Promise<unknown>

export const listenToEvents =
  (events: InvoiceEvents, authenticate: Authenticate): Handle =>
  (request, response) => {
    readQuery(request.url, {})
    // It left while the session was checked: `close` was emitted already.
    if (hasClientLeft(response)) return
    const { organizationId, userId } = getMember(response)
    const feed = events.openFeed(organizationId, userId)
    if (request.method === 'HEAD') {
      events.dropIdleFeed(organizationId)
      response.writeHead(200, streamHeaders).end()
      return
    }
    const stream = new EventStream(response, { patienceMs: events.times.patienceMs, retryMs })
    const listener = createListener(stream, feed, request.headers['last-event-id'])
    const beat = setInterval(() => {
      if (!stream.isOpen) {
        close()
        return
      }
      stream.comment('')
      void endUnlessSignedIn(stream, () => authenticate(request, response))
    }, events.times.heartbeatMs)
    const age = setTimeout(() => stream.end(), events.times.lifetimeMs)
    const close = () => {
      clearInterval(beat)
      clearTimeout(age)
      feed.remove(listener)
      events.dropIdleFeed(organizationId)
      events.removeStream(stream, userId)
    }
    response.once('close', close)
    feed.add(listener)
    events.addStream(stream, userId)
  }

function createListener(stream: EventStream, feed: InvoiceFeed, lastEventId: unknown) {
  // Changes that arrive during the replay are sent after it.
  let pending: (() => void)[] | undefined = []
  const queueChange = (change: InvoiceChange, cursor: Cursor) =>
    stream.queue(change.invoiceId, { name: 'invoice', id: cursor, data: presentChange(change) })
  const release = () => {
    for (const late of pending ?? []) late()
    pending = undefined
  }
  return {
    ready(at: Cursor) {
      const from = findResumePoint(lastEventId, at)
      const resumed = from !== undefined
      // Until the replay ends the client only has its own id.
      stream.queue('', { name: 'ready', id: from ?? at, data: { at, resumed } })
      if (resumed) void replay({ stream, feed, at, queueChange }, from).finally(release)
      else release()
    },
    changed(change: InvoiceChange, cursor: Cursor) {
      if (!stream.isOpen) return
      if (!pending) queueChange(change, cursor)
      else if (pending.length < limits.eventsWaiting)
        pending.push(() => queueChange(change, cursor))
      else {
        // The client reconnects and resumes from its last id.
        pending = []
        stream.end()
      }
    },
    unavailable: () =>
      stream.comment('the invoices service is unavailable; changes follow when it is back'),
  }
}

interface Replay {
  stream: EventStream
  feed: InvoiceFeed
  at: Cursor
  queueChange: (change: InvoiceChange, cursor: Cursor) => void
}

/** If it fails, the client reconnects with its id and gets a new replay. */
async function replay({ stream, feed, at, queueChange }: Replay, from: Cursor): Promise<void> {
  let replayed = 0
  try {
    for await (const { changes } of feed.changesSince(subtractMs(from, lookBackMs.far))) {
      for (const change of changes) queueChange(change, clampCursor(from, change.updatedAt, at))
      await stream.waitUntilSent()
      replayed += changes.length
      if (!stream.isOpen) return
      if (replayed >= replayedMax) {
        stream.queue('', { name: 'ready', id: at, data: { at, resumed: false } })
        return
      }
    }
  } catch {
    stream.end()
  }
}

function clampCursor(from: Cursor, moment: Cursor, to: Cursor): Cursor {
  if (moment < from) return from
  return moment < to ? moment : to
}

/** `undefined`: the client must read its list again. */
export function findResumePoint(lastEventId: unknown, at: Cursor): Cursor | undefined {
  if (typeof lastEventId !== 'string' || !/^\d{4}-[\dT:.-]{1,20}Z$/.test(lastEventId)) {
    return undefined
  }
  const elapsedMs = Date.parse(at) - Date.parse(lastEventId)
  // The id may be from another gateway, whose clock is a little ahead.
  return Math.abs(elapsedMs) <= resumableMs ? subtractMs(lastEventId, 0) : undefined
}

const invoiceChangeSchema = z.object({
  invoiceId: uuid,
  invoiceNumber: z.string(),
  status: textOneOf(invoiceStatuses),
  updatedAt: time,
})

function presentChange(change: InvoiceChange): z.infer<typeof invoiceChangeSchema> {
  const { invoiceId, invoiceNumber, status, updatedAt } = change
  return { invoiceId, invoiceNumber, status, updatedAt }
}

async function endUnlessSignedIn(
  stream: EventStream,
  authenticate: () => Promise<unknown>,
): Promise<void> {
  if (!stream.isOpen) return
  try {
    await authenticate()
  } catch (thrown) {
    const isOver = thrown instanceof ApiError && thrown.code !== 'SERVICE_UNAVAILABLE'
    if (isOver) stream.end()
  }
}

function tooManyStreamsOfMember(): ApiError {
  return new ApiError(
    'TOO_MANY_STREAMS',
    `You already have ${limits.eventStreamsOfMember} event streams open. Close a page, or try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}

export function tooManyStreams(): ApiError {
  return new ApiError(
    'TOO_MANY_STREAMS',
    `Your organization already has ${limits.eventStreams} event streams open. Close a page, or try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the last event received, which browsers send by themselves. Changes missed within the last hour are sent first; any other value starts a new stream.',
  schema: { type: 'string', examples: [at] },
}

const { id: invoiceId, invoiceNumber, status, updatedAt } = answerExamples.read.accepted
const change = { invoiceId, invoiceNumber, status, updatedAt }

export const eventRoutes: ApiTable<EventDeps> = {
  '/events': {
    GET: {
      handle: (deps) =>
        listenToEvents(deps.events, (...args) => authenticateSession(deps, ...args)),
      operationId: 'listenToChanges',
      summary: 'Stream changes of invoices as server-sent events.',
      description: [
        'The first event is `ready`, with `{at, resumed}`: read your lists after it. If `resumed` is true, missed changes follow. Then one `invoice` event for each change, with `InvoiceChange` as it is now; a change can be sent twice.',
        `A comment is sent every 15 seconds. A stream ends after 15 minutes, or with the session: reconnect with the last id. At most ${limits.eventStreams} streams per organization and gateway, ${limits.eventStreamsOfMember} of them per member.`,
      ].join(' '),
      parameters: [lastEventId],
      answer: {
        mediaType: 'text/event-stream',
        description: 'The stream, until it ends.',
        examples: {
          stream: [
            `retry: ${retryMs}\n\n`,
            formatEvent({ name: 'ready', id: at, data: { at, resumed: false } }),
            formatEvent({ name: 'invoice', id: updatedAt, data: change }),
          ].join(''),
        },
        schemas: { InvoiceChange: invoiceChangeSchema },
      },
      errors: ['TOO_MANY_STREAMS', 'VALIDATION_ERROR'],
    },
  },
}
