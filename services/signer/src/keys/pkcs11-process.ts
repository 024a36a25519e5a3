/**
 * One process that holds the token's module, from this side: opened, asked for signatures, ended.
 *
 * It is believed as long as it answers. Whatever it fails at, or is silent about for too long, ends
 * it for all who wait: what went wrong inside a vendor's module is not known from outside.
 */

import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { FromToken, ToToken } from '../token/messages'
import type { SigningTokenConfig } from '../token/signing-token'
import { TokenError } from '../token/token-error'
import type { SigningIdentity } from './signing-key'

export interface TokenProcess {
  /** The same object until key or certificate is another. */
  readonly identity: SigningIdentity
  /** Rejects with `TokenFault`. */
  sign(digest: Buffer): Promise<Buffer>
  /** Has key and certificate looked for again; what is amiss ends it. */
  refresh(): void
  close(): Promise<void>
}

export interface TokenProcessOptions {
  module: string
  config: SigningTokenConfig
  /** What the module finds in its environment; ours when `undefined`. */
  environment: NodeJS.ProcessEnv | undefined
  pin: string
  /** Aborted: is not opened any more. */
  signal: AbortSignal
  /** Called once, before anybody's signature is rejected. */
  onLost: (fault: TokenError) => void
}

interface Job {
  digest: Buffer
  resolve: (signature: Buffer) => void
  reject: (fault: TokenError) => void
  timer?: NodeJS.Timeout
}

const openMs = 15_000
const answerMs = 3_000
const endMs = 1_000
const stopping = 'the signer is stopping'
const waitingMax = 1_000
// One at work and one on its way, so that no session waits for the next message.
const jobsPerSession = 2

const mainFile = path.join(__dirname, '../token/main.js')

/** Rejects with `TokenFault`. */
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
  private ended: TokenError | undefined
  private settleOpening: (fault?: TokenError) => void = () => undefined

  constructor(options: TokenProcessOptions) {
    this.options = options
    const { module, config, pin } = options
    this.child = fork(mainFile, [String(config.sessions + 1)], {
      ...(options.environment && { env: options.environment }),
      serialization: 'advanced',
      // Standard output is the log's: a module that prints must not break its lines.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    this.opened = this.waitForOpening(openMs)
    this.child.on('message', (message: FromToken) => this.handleMessage(message))
    this.child.on('error', (error) => this.end(new TokenError('away', error.message)))
    this.child.on('exit', (code, signal) => {
      const how = signal ?? `code ${String(code)}`
      this.end(new TokenError('away', `the process that holds PKCS11_MODULE ended (${how})`))
    })
    const giveUp = () => {
      if (!this.lastKnown) this.end(new TokenError('away', stopping))
    }
    options.signal.addEventListener('abort', giveUp)
    if (options.signal.aborted) giveUp()
    this.send({ kind: 'open', module, config, pin })
  }

  get identity(): SigningIdentity {
    if (!this.lastKnown) throw new Error('the token was not opened')
    return this.lastKnown
  }

  sign(digest: Buffer): Promise<Buffer> {
    if (this.ended) return Promise.reject(this.ended)
    if (this.waiting.length >= waitingMax) {
      return Promise.reject(new TokenError('away', `${waitingMax} signatures wait for the token`))
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ digest, resolve, reject })
      this.sendWaiting()
    })
  }

  refresh(): void {
    this.send({ kind: 'identify' })
  }

  async close(): Promise<void> {
    this.end(new TokenError('away', stopping), { gently: true })
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
        this.end(new TokenError('away', this.describeSilence('being opened', withinMs)))
      }, withinMs)
      this.settleOpening = (fault) => {
        clearTimeout(timer)
        if (fault) reject(fault)
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
        this.take(message.id)?.resolve(message.signature)
        this.sendWaiting()
        return
      case 'fault':
        this.end(new TokenError(message.fault, message.sentence))
    }
  }

  private sendWaiting(): void {
    while (this.inFlight.size < jobsPerSession * this.sessions) {
      const job = this.waiting.shift()
      if (!job) return
      const id = ++this.lastId
      this.inFlight.set(id, job)
      job.timer = setTimeout(() => {
        this.end(new TokenError('away', this.describeSilence('asked for a signature', answerMs)))
      }, answerMs)
      this.send({ kind: 'sign', id, digest: job.digest })
    }
  }

  private take(id: number): Job | undefined {
    const job = this.inFlight.get(id)
    this.inFlight.delete(id)
    clearTimeout(job?.timer)
    return job
  }

  private end(fault: TokenError, { gently = false } = {}): void {
    if (this.ended) return
    this.ended = fault
    if (!gently) this.child.kill('SIGKILL')
    else if (this.child.connected) this.child.disconnect()
    const wasOpen = this.lastKnown !== undefined
    this.settleOpening(fault)
    if (wasOpen && !gently) this.options.onLost(fault)
    const left = [...[...this.inFlight.keys()].map((id) => this.take(id)), ...this.waiting]
    for (const job of left) job?.reject(fault)
  }

  private send(message: ToToken): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  private describeSilence(when: string, forMs: number): string {
    return `the token "${this.options.config.tokenLabel}" was silent for ${forMs / 1_000} s after ${when}`
  }
}

function isSame(one: SigningIdentity | undefined, other: SigningIdentity): boolean {
  return (
    one?.algorithm === other.algorithm &&
    Buffer.concat(one.certificates).equals(Buffer.concat(other.certificates))
  )
}
