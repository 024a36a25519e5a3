/** Any failure ends the process: the state inside a vendor's module is unknown from outside. */

import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { FromToken, ToToken } from '../token/messages'
import type { SigningTokenConfig } from '../token/signing-token'
import { TokenError } from '../token/token-error'
import type { SigningIdentity } from './signing-key'

export interface TokenProcess {
  /** The same object until key or certificate changes. */
  readonly identity: SigningIdentity
  sign(digest: Buffer): Promise<Buffer>
  /** Reads key and certificate again; an error ends the process. */
  refresh(): void
  close(): Promise<void>
}

export interface TokenProcessOptions {
  module: string
  config: SigningTokenConfig
  environment: NodeJS.ProcessEnv | undefined
  pin: string
  signal: AbortSignal
  answerMs: number
  /** Called once, before any signature is rejected. */
  onLost: (error: TokenError) => void
}

interface Job {
  digest: Buffer
  resolve: (signature: Buffer) => void
  reject: (error: TokenError) => void
  timer?: NodeJS.Timeout
}

const openMs = 15_000
const endMs = 1_000
const stopping = 'the signer is stopping'
const waitingMax = 1_000
// One being signed and one queued, so that no session waits for the next message.
const jobsPerSession = 2

const mainFile = path.join(__dirname, '../token/main.js')

export async function openTokenProcess(options: TokenProcessOptions): Promise<TokenProcess> {
  const connection = new Connection(options)
  await connection.opened
  return connection
}

class Connection implements TokenProcess {
  readonly opened: Promise<void>
  private readonly options: TokenProcessOptions
  private readonly child: ChildProcess
  private readonly waiting: Job[] = []
  private readonly inFlight = new Map<number, Job>()
  private lastKnown: SigningIdentity | undefined
  private sessions = 1
  private lastId = 0
  private turn: NodeJS.Immediate | undefined
  private ended: TokenError | undefined
  private settleOpening: (error?: TokenError) => void = () => undefined
  private readonly giveUp = () => this.end(new TokenError('unavailable', stopping))

  constructor(options: TokenProcessOptions) {
    this.options = options
    const { module, config, pin } = options
    this.child = fork(mainFile, [String(config.sessions + 1)], {
      ...(options.environment && { env: options.environment }),
      serialization: 'advanced',
      // Standard output is for the log only: a module that prints must not break its lines.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    this.opened = this.waitForOpening(openMs)
    this.child.on('message', (message: FromToken) => this.handleMessage(message))
    this.child.on('error', (error) => this.end(new TokenError('unavailable', error.message)))
    this.child.on('exit', (code, signal) => {
      const how = signal ?? `code ${String(code)}`
      this.end(new TokenError('unavailable', `the process that runs PKCS11_MODULE ended (${how})`))
    })
    options.signal.addEventListener('abort', this.giveUp)
    if (options.signal.aborted) this.giveUp()
    this.send({ kind: 'open', module, config, pin })
  }

  get identity(): SigningIdentity {
    if (!this.lastKnown) throw new Error('the token was not opened')
    return this.lastKnown
  }

  sign(digest: Buffer): Promise<Buffer> {
    if (this.ended) return Promise.reject(this.ended)
    if (this.waiting.length - this.countFree() >= waitingMax) {
      return Promise.reject(
        new TokenError('unavailable', `${waitingMax} signatures wait for the token`),
      )
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ digest, resolve, reject })
      this.sendSoon()
    })
  }

  refresh(): void {
    this.send({ kind: 'identify' })
  }

  async close(): Promise<void> {
    this.end(new TokenError('unavailable', stopping), { gently: true })
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    await new Promise((resolve) => {
      const timer = setTimeout(() => this.child.kill('SIGKILL'), endMs)
      this.child.once('exit', () => {
        clearTimeout(timer)
        resolve(undefined)
      })
    })
  }

  private waitForOpening(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.end(new TokenError('unavailable', this.describeSilence('opening', withinMs)))
      }, withinMs)
      this.settleOpening = (error) => {
        clearTimeout(timer)
        this.options.signal.removeEventListener('abort', this.giveUp)
        if (error) reject(error)
        else resolve()
      }
    })
  }

  private handleMessage(message: FromToken): void {
    switch (message.kind) {
      case 'identity':
        this.sessions = message.sessions
        if (!isSame(this.lastKnown, message.identity)) this.lastKnown = message.identity
        this.settleOpening()
        return
      case 'signed':
        for (const { id, signature } of message.signatures) this.take(id)?.resolve(signature)
        this.sendWaiting()
        return
      case 'error':
        this.end(new TokenError(message.errorKind, message.sentence))
    }
  }

  private countFree(): number {
    return Math.max(0, jobsPerSession * this.sessions - this.inFlight.size)
  }

  /** Sends the requests of this turn of the event loop in one message. */
  private sendSoon(): void {
    if (this.countFree() === 0) return
    this.turn ??= setImmediate(() => {
      this.turn = undefined
      this.sendWaiting()
    })
  }

  private sendWaiting(): void {
    const jobs = this.waiting.splice(0, this.countFree()).map((job) => ({ id: ++this.lastId, job }))
    if (jobs.length === 0) return
    for (const { id, job } of jobs) {
      this.inFlight.set(id, job)
      job.timer = setTimeout(() => this.endSilent(), this.options.answerMs)
    }
    this.send({ kind: 'sign', jobs: jobs.map(({ id, job: { digest } }) => ({ id, digest })) })
  }

  private endSilent(): void {
    const sentence = this.describeSilence('a request for a signature', this.options.answerMs)
    this.end(new TokenError('unavailable', sentence))
  }

  private take(id: number): Job | undefined {
    const job = this.inFlight.get(id)
    this.inFlight.delete(id)
    clearTimeout(job?.timer)
    return job
  }

  private end(error: TokenError, { gently = false } = {}): void {
    if (this.ended) return
    this.ended = error
    if (!gently) this.child.kill('SIGKILL')
    else if (this.child.connected) this.child.disconnect()
    const wasOpen = this.lastKnown !== undefined
    this.settleOpening(error)
    if (wasOpen && !gently) this.options.onLost(error)
    const inFlight = [...this.inFlight.keys()].map((id) => this.take(id))
    // Emptied: the turn that follows must not begin their time.
    for (const job of [...inFlight, ...this.waiting.splice(0)]) job?.reject(error)
  }

  private send(message: ToToken): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  private describeSilence(when: string, forMs: number): string {
    return `the token "${this.options.config.tokenLabel}" did not answer within ${forMs / 1_000} s of ${when}`
  }
}

function isSame(one: SigningIdentity | undefined, other: SigningIdentity): boolean {
  return (
    one?.algorithm === other.algorithm &&
    Buffer.concat(one.certificates).equals(Buffer.concat(other.certificates))
  )
}
