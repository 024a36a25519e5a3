/** One subject per event, so that a stream holds it once. */

import type { InvoiceEvent, EventData, EventType } from '../event'

export const root = 'einvoicing'

export function subscriptionSubjects(type: EventType): string {
  return `${root}.${type}.*`
}

export function eventSubject({ type, id }: InvoiceEvent): string {
  // Ids contain timestamps, and a dot begins a new token in a subject.
  const token = encodeURIComponent(id).replaceAll('.', '%2E').replaceAll('*', '%2A')
  return `${root}.${type}.${token}`
}

export function isEventSubject(subject: string, type: EventType): boolean {
  const prefix = `${root}.${type}.`
  return subject.startsWith(prefix) && /^[^\s.*>]+$/.test(subject.slice(prefix.length))
}

export function encodeEvent(event: InvoiceEvent): string {
  return JSON.stringify(event)
}

type Kind = 'string' | 'boolean'

const envelope = ['id', 'source', 'time', 'subject', 'organizationid'] as const

type Contents<Data> = { [K in keyof Data as undefined extends Data[K] ? never : K]: Kind }

const contents: { [T in EventType]: Contents<EventData[T]> } = {
  'invoice.signed': { xmlSha256: 'string', clearanceStartedAt: 'string', transmitted: 'boolean' },
  'clearance.transmitted': { submissionId: 'string', submittedAt: 'string', answer: 'string' },
  'clearance.accepted': {
    submissionId: 'string',
    reference: 'string',
    qrCode: 'string',
    qrPayload: 'string',
    decidedAt: 'string',
    answer: 'string',
  },
  'clearance.rejected': {
    submissionId: 'string',
    errorCode: 'string',
    errorMessage: 'string',
    decidedAt: 'string',
    answer: 'string',
  },
  'clearance.failed': { errorCode: 'string', errorMessage: 'string', clearanceStartedAt: 'string' },
}

export function decodeEvent(bytes: Uint8Array, type: EventType): InvoiceEvent {
  const event = objectIn(parse(bytes))
  if (event['specversion'] !== '1.0') throw new Error('not an event of CloudEvents 1.0')
  if (event['type'] !== type) throw new Error(`not an event of type ${type}`)
  for (const name of envelope) demand(event, name, 'string')
  const data = objectIn(event['data'])
  for (const [name, kind] of Object.entries<Kind>(contents[type])) demand(data, name, kind)
  return event as unknown as InvoiceEvent
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's message quotes the content, which is never logged.
    throw new Error('not JSON')
  }
}

function objectIn(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw new Error('not an object')
}

function demand(holder: Record<string, unknown>, name: string, kind: Kind): void {
  if (typeof holder[name] !== kind) throw new Error(`${name} is not a ${kind}`)
}
