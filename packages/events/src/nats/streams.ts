// Created before the first event, so that one is stored for a subscriber that has never run. Each
// family has its own stream, so that many waiting submissions leave space for decisions.

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
import type { Log } from '@einvoicing/runtime/log'
import { SharedRun } from '@einvoicing/runtime/shared-run'
import { root, subscriptionSubjects } from './messages'
import { isNotPermitted, isNotThere } from './failures'
import { subscribers } from '../subscribers'

export interface Subscriber {
  name: string
  type: EventType
}

/** A crashed process's deliveries go to another one after this. */
export const ackWaitMs = 20_000

/** Longer than the relay's retry, shorter than the sweeper's patience (120 s). */
export const duplicateWindowMs = 5_000

/** A message that the server fails to remove would block its event. */
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

function durableName({ name, type }: Subscriber): string {
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

const none = '{}'

export class Streams {
  private readonly wanted: Subscriber[] = types.flatMap((type) =>
    subscribers[type].map((name) => ({ name, type })),
  )
  private readonly consumers = new Map<string, ConsumerInfo>()
  private readonly made = new Map<string, string>()
  private readonly runs = new SharedRun()
  /** Stays set when creating fails half-way: what was created no longer looks new. */
  private isLossUnreported = false
  private readonly differences = new Map<string, string>()
  private readonly replicas: number
  private readonly onLoss: () => void
  private readonly log: Log

  constructor(replicas: number, onLoss: () => void, log: Log) {
    this.replicas = replicas
    this.onLoss = onLoss
    this.log = log
  }

  want(subscriber: Subscriber): void {
    const durable = durableName(subscriber)
    if (this.wanted.every((other) => durableName(other) !== durable)) this.wanted.push(subscriber)
  }

  async consumer(subscriber: Subscriber): Promise<ConsumerInfo> {
    await this.settled()
    const durable = durableName(subscriber)
    const info = this.consumers.get(durable)
    if (!info) throw new Error(`the consumer ${durable} does not exist yet`)
    return info
  }

  ensure(jsm: JetStreamManager): Promise<void> {
    return this.runs.request(() => this.ensureAll(jsm))
  }

  settled(): Promise<void> {
    return this.runs.settled()
  }

  private async ensureAll(jsm: JetStreamManager): Promise<void> {
    for (const stream of wantedStreams(this.replicas)) {
      const made = await this.ensureStream(jsm, stream)
      if (stream.name !== deadLetterStream) this.noticeLoss(stream.name, made)
    }
    const present = await listConsumers(jsm)
    for (const subscriber of [...this.wanted]) {
      const durable = durableName(subscriber)
      const info = present.get(durable) ?? (await addConsumer(jsm, subscriber))
      this.consumers.set(durable, info)
      this.noticeLoss(durable, info.created)
    }
    if (!this.isLossUnreported) return
    this.isLossUnreported = false
    this.onLoss()
  }

  private async ensureStream(jsm: JetStreamManager, wanted: WantedStream): Promise<string> {
    const { name } = wanted
    try {
      const { config, created } = await jsm.streams.info(name)
      await this.compareSettings(jsm, wanted, findDifferent(config, wanted))
      return created
    } catch (error) {
      if (!isNotThere(error)) throw error
      const made = await explainMissing(jsm.streams.add(wanted), `the stream ${name}`)
      this.differences.set(name, none)
      return made.created
    }
  }

  /** Updates at the start only: processes that want different settings would take turns. */
  private async compareSettings(
    jsm: JetStreamManager,
    wanted: WantedStream,
    found: Partial<StreamConfig>,
  ): Promise<void> {
    const stream = wanted.name
    const text = JSON.stringify(found)
    const before = this.differences.get(stream)
    const isUpdated = before === undefined && text !== none && (await updateStream(jsm, wanted))
    this.differences.set(stream, isUpdated ? none : text)
    if (isUpdated)
      this.log.info({ stream, found }, 'stream updated to the settings of this process')
    else if (text !== none && text !== before) {
      this.log.warn({ stream, found }, 'the stream has other settings than this process wants')
    }
  }

  private noticeLoss(name: string, made: string): void {
    const before = this.made.get(name)
    this.made.set(name, made)
    if (before !== undefined && before !== made) this.isLossUnreported = true
  }
}

/** A user without the right leaves it to the one that has it. */
async function updateStream(jsm: JetStreamManager, wanted: WantedStream): Promise<boolean> {
  try {
    await jsm.streams.update(wanted.name, wanted)
    return true
  } catch (error) {
    if (!isNotPermitted(error)) throw error
    return false
  }
}

/** Not a wrong setting when our user may not create what is missing: another service does. */
function explainMissing<T>(made: Promise<T>, what: string): Promise<T> {
  return made.catch((error: unknown) => {
    if (!isNotPermitted(error)) throw error
    throw new Error(`${what} does not exist yet, and this user is not allowed to create it`, {
      cause: error,
    })
  })
}

function findDifferent(config: StreamConfig, wanted: WantedStream): Partial<StreamConfig> {
  const names = Object.keys(wanted) as (keyof StreamConfig)[]
  const different = names.filter(
    (name) => JSON.stringify(config[name]) !== JSON.stringify(wanted[name]),
  )
  return Object.fromEntries(different.map((name) => [name, config[name]]))
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
    // Events that wait for a later delivery count as pending; what is fetched bounds the others.
    max_ack_pending: -1,
    max_deliver: -1,
  })
  return explainMissing(made, `the consumer ${durable}`)
}
