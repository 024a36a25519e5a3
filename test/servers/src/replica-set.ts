/**
 * The MongoDB members of a test made one replica set, and asked who of them is primary.
 */

import { type Document, MongoClient, MongoServerError } from 'mongodb'

const primaryDeadlineMs = 30_000
// A member that stands still must not delay the question who is primary.
const helloDeadlineMs = 2_000
const commandDeadlineMs = 30_000
const pollMs = 50

/** The server's own numbers: done before, or by a user we are not. */
const alreadyInitialized = 23
const unauthorized = 13

export interface Credentials {
  user: string
  password: string
}

export class ReplicaSet {
  static readonly setName = 'rs0'
  readonly url: string
  private readonly ports: readonly number[]
  private readonly credentials: Credentials | undefined

  constructor(
    ports: readonly number[],
    { credentials, standalone = false }: { credentials?: Credentials; standalone?: boolean },
  ) {
    this.ports = ports
    this.credentials = credentials
    const { user, password } = credentials ?? {}
    const who =
      user && password ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : ''
    const query = standalone ? '' : `?replicaSet=${ReplicaSet.setName}`
    this.url = `mongodb://${who}${ports.map((port) => `127.0.0.1:${port}`).join()}/${query}`
  }

  /** Makes the set, unless the data hold it already, and waits for its primary. */
  async initiate(): Promise<void> {
    const members = this.ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }))
    // The default of 10 s without a primary would make every test of a crash wait.
    const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 }
    const config = { _id: ReplicaSet.setName, members, settings }
    await this.runOn(0, { replSetInitiate: config }).catch(unless(alreadyInitialized, unauthorized))
    await this.primary()
  }

  /** The first user may be made from loopback without being one; later it is there. */
  async makeUser(): Promise<void> {
    if (!this.credentials) return
    const { user, password } = this.credentials
    const createUser = { createUser: user, pwd: password, roles: ['root'] }
    await this.runOn(await this.primary(), createUser).catch(unless(unauthorized))
  }

  /** Which member is primary, waited for a bounded time. */
  async primary(): Promise<number> {
    const deadline = Date.now() + primaryDeadlineMs
    for (;;) {
      const states = await Promise.allSettled(
        this.ports.map((port) => runCommand(port, { hello: 1 }, { answerMs: helloDeadlineMs })),
      )
      const index = states.findIndex(
        (state) => state.status === 'fulfilled' && state.value['isWritablePrimary'] === true,
      )
      if (index >= 0) return index
      if (Date.now() > deadline)
        throw new Error('no member of the MongoDB replica set became primary')
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  /** The primary refuses to be one for a while, so that another must. */
  async stepDown(): Promise<void> {
    const forSeconds = this.ports.length === 1 ? 3 : 10
    const command = { replSetStepDown: forSeconds, secondaryCatchUpPeriodSecs: 1, force: true }
    const before = await this.primary()
    await runCommand(this.portOf(before), command, { credentials: this.credentials })
    await this.primary()
  }

  private runOn(index: number, command: Document): Promise<Document> {
    return runCommand(this.portOf(index), command)
  }

  private portOf(index: number): number {
    const port = this.ports[index]
    if (port === undefined) throw new Error(`there is no member ${index}`)
    return port
  }
}

/** Asks one member by itself, whatever it is in its set. */
export async function runCommand(
  port: number,
  command: Document,
  {
    credentials,
    answerMs = commandDeadlineMs,
  }: { credentials?: Credentials | undefined; answerMs?: number } = {},
): Promise<Document> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: answerMs,
    connectTimeoutMS: answerMs,
    socketTimeoutMS: primaryDeadlineMs,
    ...(credentials && { auth: { username: credentials.user, password: credentials.password } }),
  })
  try {
    return await client.db('admin').command(command)
  } finally {
    await client.close()
  }
}

function unless(...codes: number[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof MongoServerError && codes.includes(Number(error.code)))) throw error
  }
}
