// The invoice is not lost: the sweeper publishes its event again.

import type { JetStreamClient, JetStreamManager, JsMsg, StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { Counter } from 'prom-client'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { isDuplicateMessage, isMessageGone, isNotThere } from './failures'
import type { EventType } from '../event'
import { subscribers } from '../subscribers'
import { decodeEvent, eventSubject, isEventSubject, root } from './messages'
import type { Session } from './connection'
import { deadLetterStream, deadLetterSubjects, type Subscriber } from './streams'

export interface DeadLetter {
  seq: number
  at: string
  subscriber: string
  type: string
  subject: string
  deliveries: number
  reason: string
  data: Uint8Array
}

export class NotReplayableError extends Error {
  override readonly name = 'NotReplayableError'
}

const deadLetterCount = new Counter({
  name: 'einvoicing_bus_dead_letters_total',
  help: 'Events that no handler could process, stored for an operator',
  labelNames: ['subscriber', 'type'],
  registers: [metrics],
})

const header = {
  subscriber: 'Subscriber',
  type: 'Type',
  subject: 'Subject',
  deliveries: 'Deliveries',
  reason: 'Reason',
} as const

const reasonLength = 500

export function createDeadLetterWriter(js: () => JetStreamClient, log: Log) {
  return async (message: JsMsg, { name, type }: Subscriber, cause: unknown): Promise<void> => {
    const messageHeaders = headers()
    messageHeaders.set(header.subscriber, name)
    messageHeaders.set(header.type, type)
    messageHeaders.set(header.subject, message.subject)
    messageHeaders.set(header.deliveries, String(message.info.deliveryCount))
    messageHeaders.set(header.reason, toReason(cause))
    const place = message.subject.slice(root.length + 1)
    const subject = `${root}.dead-letters.${name}.${place}`
    await js().publish(subject, message.data, { headers: messageHeaders })
    deadLetterCount.inc({ subscriber: name, type })
    log.error({ err: cause, subscriber: name, type, subject }, 'event stored as a dead letter')
  }
}

/** Headers hold one line. */
function toReason(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, reasonLength)
}

/** Those that are stored when it starts: one that is replayed may be stored again, as a new one. */
export async function* readDeadLetters(jsm: JetStreamManager): AsyncGenerator<DeadLetter> {
  const last = await findLastSeq(jsm)
  for (let seq = 1; seq <= last; seq++) {
    const stored = await jsm.direct.getMessage(deadLetterStream, {
      seq,
      next_by_subj: deadLetterSubjects,
    })
    if (!stored || stored.seq > last) return
    seq = stored.seq
    yield toDeadLetter(stored)
  }
}

export async function replayDeadLetter(session: Session, letter: DeadLetter): Promise<void> {
  const { js, jsm } = session
  const subject = findSubject(letter)
  try {
    await js.publish(subject, letter.data)
  } catch (error) {
    // The sweeper has published the event already.
    if (!isDuplicateMessage(error)) throw error
  }
  await dropDeadLetter(jsm, letter)
}

/** A user that may store letters for one subscriber must not publish by them what others take. */
function findSubject({ seq, subscriber, type, subject, data }: DeadLetter): string {
  if (isEventType(type) && subscribers[type].includes(subscriber)) {
    const own = readSubject(data, type) ?? subject
    if (isEventSubject(own, type)) return own
  }
  throw new NotReplayableError(
    `${seq} can only be dropped: it holds no event for ${subscriber}, and ${subject} is none of its subjects`,
  )
}

const isEventType = (type: string): type is EventType => Object.hasOwn(subscribers, type)

function readSubject(data: Uint8Array, type: EventType): string | undefined {
  try {
    return eventSubject(decodeEvent(data, type))
  } catch {
    return undefined
  }
}

/** Also succeeds if it is gone, as when a newer one of its event has replaced it. */
export async function dropDeadLetter(jsm: JetStreamManager, { seq }: DeadLetter): Promise<void> {
  try {
    await jsm.streams.deleteMessage(deadLetterStream, seq)
  } catch (error) {
    if (!isMessageGone(error)) throw error
  }
}

async function findLastSeq(jsm: JetStreamManager): Promise<number> {
  try {
    return (await jsm.streams.info(deadLetterStream)).state.last_seq
  } catch (error) {
    if (isNotThere(error)) return 0
    throw error
  }
}

function toDeadLetter({ seq, time, subject, header: headers, data }: StoredMsg): DeadLetter {
  const [subscriber = ''] = subject.slice(deadLetterSubjects.length - 1).split('.')
  return {
    seq,
    at: time.toISOString(),
    // The one that its publisher was allowed to name; a header may say anything.
    subscriber,
    type: headers.get(header.type),
    subject: headers.get(header.subject),
    deliveries: Number(headers.get(header.deliveries)),
    reason: headers.get(header.reason),
    data,
  }
}
