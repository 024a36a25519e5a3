/**
 * What of NATS holds our events: a stream for each family of events, a durable consumer for each
 * subscriber to a type, and a stream for dead letters. All are made before the first event, so that
 * one is kept for a subscriber that has never run; all are created again when they are gone.
 *
 * A family has a stream of its own, so that invoices waiting for the platform, however many, leave
 * space for its answers. Interest retention: an event stays until each of its subscribers has taken
 * it, and while it stays the same event is refused by its subject.
 */

import {
  AckPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type ConsumerInfo,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { EventType } from '../event'
import { root, subscriptionSubjects } from './messages'
import { isNotPermitted, isNotThere } from './failures'
import { subscribers } from '../subscribers'

export interface Subscriber {
  name: string
  type: EventType
}

/** A crashed process's deliveries are given to another after this. */
export const ackWaitMs = 20_000

/**
 * Longer than a publish with its answer lost and the relay's second try take; shorter than the
 * sweeper's patience (120 s), whose publish must never be mistaken for the first one.
 */
export const duplicateWindowMs = 5_000

/**
 * A message that the server never removed, against its word, would keep its event from being told
 * again; one that still waits by then is published again by the sweeper, within minutes.
 */
const eventAgeMaxMs = 3_600_000

const eventsHeldMax = 1_000_000
const deadLettersMax = 100_000

const types = Object.keys(subscribers) as EventType[]

type WantedStream = Pick<StreamConfig, 'name' | 'subjects' | 'retention'> & Partial<StreamConfig>

export const deadLetterStream = `${root}-dead-letters`
export const deadLetterSubjects = `${root}.dead-letters.>`

function toStreamName(type: EventType): string {
  return `${root}-${type.split('.')[0]}`
}

export function durableName({ name, type }: Subscriber): string {
  return `${name}-${type.replaceAll('.', '-')}`
}

function wantedStreams(replicas: number): WantedStream[] {
  const storage = { storage: StorageType.File, discard: DiscardPolicy.New, num_replicas: replicas }
  const families = [...new Set(types.map(toStreamName))].map((name) => ({
    ...storage,
    name,
    subjects: types.filter((type) => toStreamName(type) === name).map(subscriptionSubjects),
    retention: RetentionPolicy.Interest,
    max_msgs: eventsHeldMax,
    max_age: nanos(eventAgeMaxMs),
    max_msgs_per_subject: 1,
    discard_new_per_subject: true,
    duplicate_window: nanos(duplicateWindowMs),
  }))
  const deadLetters = {
    ...storage,
    name: deadLetterStream,
    subjects: [deadLetterSubjects],
    retention: RetentionPolicy.Limits,
    max_msgs: deadLettersMax,
    max_msgs_per_subject: 1,
    allow_direct: true,
  }
  return [...families, deadLetters]
}

/** Makes what is missing, and tells when what had been there was created again. */
export class Streams {
  private readonly wanted: Subscriber[] = types.flatMap((type) =>
    subscribers[type].map((name) => ({ name, type })),
  )
  private readonly consumers = new Map<string, ConsumerInfo>()
  /** When each stream and consumer was made, as last seen. */
  private readonly made = new Map<string, string>()
  private running: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined
  private readonly replicas: number
  private readonly onLoss: () => void

  constructor(replicas: number, onLoss: () => void) {
    this.replicas = replicas
    this.onLoss = onLoss
  }

  want(subscriber: Subscriber): void {
    const durable = durableName(subscriber)
    if (this.wanted.every((other) => durableName(other) !== durable)) this.wanted.push(subscriber)
  }

  async consumer(subscriber: Subscriber): Promise<ConsumerInfo> {
    await this.settled()
    const durable = durableName(subscriber)
    const info = this.consumers.get(durable)
    if (!info) throw new Error(`the consumer ${durable} is not there yet`)
    return info
  }

  /** One at a time; asked for while one runs, it runs once more. */
  ensure(jsm: JetStreamManager): Promise<void> {
    return (this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        this.running = this.ensureAll(jsm)
        return this.running
      }))
  }

  /** Ends when what was asked for so far has. */
  async settled(): Promise<void> {
    await (this.next ?? this.running)
  }

  private async ensureAll(jsm: JetStreamManager): Promise<void> {
    let isLost = false
    for (const stream of wantedStreams(this.replicas)) {
      const made = await ensureStream(jsm, stream)
      if (stream.name !== deadLetterStream) isLost = this.isRecreated(stream.name, made) || isLost
    }
    const present = await listConsumers(jsm)
    for (const subscriber of [...this.wanted]) {
      const durable = durableName(subscriber)
      const info = present.get(durable) ?? (await addConsumer(jsm, subscriber))
      this.consumers.set(durable, info)
      isLost = this.isRecreated(durable, info.created) || isLost
    }
    if (isLost) this.onLoss()
  }

  private isRecreated(name: string, made: string): boolean {
    const before = this.made.get(name)
    this.made.set(name, made)
    return before !== undefined && before !== made
  }
}

async function ensureStream(jsm: JetStreamManager, wanted: WantedStream): Promise<string> {
  try {
    const { config, created } = await jsm.streams.info(wanted.name)
    if (differs(config, wanted)) {
      // A user without the right leaves it to the one that has it.
      await jsm.streams.update(wanted.name, wanted).catch((error: unknown) => {
        if (!isNotPermitted(error)) throw error
      })
    }
    return created
  } catch (error) {
    if (!isNotThere(error)) throw error
    const made = jsm.streams.add(wanted)
    return (await explainMissing(made, `the stream ${wanted.name}`)).created
  }
}

/** Not a wrong setting where our user may not make what is missing: another service makes it. */
function explainMissing<T>(made: Promise<T>, what: string): Promise<T> {
  return made.catch((error: unknown) => {
    if (!isNotPermitted(error)) throw error
    throw new Error(`${what} does not exist yet, and our user may not create it`, { cause: error })
  })
}

function differs(config: StreamConfig, wanted: WantedStream): boolean {
  return Object.entries(wanted).some(
    ([name, value]) => JSON.stringify(config[name as keyof StreamConfig]) !== JSON.stringify(value),
  )
}

async function listConsumers(jsm: JetStreamManager): Promise<Map<string, ConsumerInfo>> {
  const found = new Map<string, ConsumerInfo>()
  for (const stream of new Set(types.map(toStreamName))) {
    for await (const info of jsm.consumers.list(stream)) found.set(info.name, info)
  }
  return found
}

function addConsumer(jsm: JetStreamManager, subscriber: Subscriber): Promise<ConsumerInfo> {
  const durable = durableName(subscriber)
  const made = jsm.consumers.add(toStreamName(subscriber.type), {
    durable_name: durable,
    filter_subject: subscriptionSubjects(subscriber.type),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    // Events that wait for their time count as pending; what is at work is bounded by what is asked
    // for.
    max_ack_pending: -1,
    max_deliver: -1,
  })
  return explainMissing(made, `the consumer ${durable}`)
}
