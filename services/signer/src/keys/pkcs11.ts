/**
 * After a failure a new process loads the module. Signatures wait for the first recovery; while the
 * token is known to be unavailable they fail at once. A rejected PIN is not tried again until the
 * file changes.
 */

import { createHash } from 'node:crypto'
import type { Log } from '@einvoicing/runtime/log'
import { within } from '@einvoicing/runtime/deadline'
import { readPin } from '../token/pin-file'
import type { SigningTokenConfig } from '../token/signing-token'
import type { TokenError } from '../token/token-error'
import { openTokenProcess, type TokenProcess } from './pkcs11-process'
import { KeyUnavailable, type SigningIdentity, type SigningKey } from './signing-key'

export interface Pkcs11KeyConfig {
  kind: 'pkcs11'
  module: string
  token: SigningTokenConfig
  environment?: NodeJS.ProcessEnv
  pinFile: string
  /** PEM, when this installation has its own authority. */
  trustedCertificateFile: string | undefined
}

const refreshMs = 5 * 60_000
const retryFirstMs = 500
// No longer than a client waits before it retries.
const retryLastMs = 5_000

export interface Pkcs11Times {
  signMs: number
  /** Of the process that holds the token. */
  answerMs: number
  /** A token lost again so soon is not reopened immediately. */
  shortLifeMs: number
}

const usualTimes: Pkcs11Times = { signMs: 5_000, answerMs: 3_000, shortLifeMs: 5_000 }

interface Pkcs11Deps {
  log: Log
  times?: Partial<Pkcs11Times>
}

/** Succeeds while the token is unavailable. Throws for a wrong setting, PIN, key or certificate. */
export async function openPkcs11Key(
  config: Pkcs11KeyConfig,
  deps: Pkcs11Deps,
): Promise<SigningKey> {
  const key = new Pkcs11Key(config, deps)
  const tokenError = await key.open()
  if (tokenError?.kind === 'unavailable') key.logUnavailable(tokenError)
  if (!tokenError || tokenError.kind === 'unavailable') return key
  await key.close()
  throw tokenError
}

class Pkcs11Key implements SigningKey {
  readonly renewal = 'install a new one with npm run admin -- key install FILE'
  private readonly config: Pkcs11KeyConfig
  private readonly log: Log
  private readonly times: Pkcs11Times
  private token: TokenProcess | undefined
  private tokenOpenedMs = 0
  private lastIdentity: SigningIdentity | undefined
  private unavailable: TokenError | undefined
  private opening: Promise<TokenError | undefined> | undefined
  private rejectedPin: { pin: string; error: TokenError } | undefined
  private failures = 0
  private retry: NodeJS.Timeout | undefined
  private readonly closing = new AbortController()
  private readonly refresh = setInterval(() => this.token?.refresh(), refreshMs).unref()

  constructor(config: Pkcs11KeyConfig, { log, times }: Pkcs11Deps) {
    this.config = config
    this.log = log
    this.times = { ...usualTimes, ...times }
  }

  identity(): SigningIdentity {
    if (this.token) this.lastIdentity = this.token.identity
    if (this.unavailable || !this.lastIdentity) throw this.keyUnavailable()
    return this.lastIdentity
  }

  async sign(bytes: Buffer): Promise<Buffer> {
    const digest = createHash('sha256').update(bytes).digest()
    const { signMs } = this.times
    const late = () => new KeyUnavailable(`no signature in ${signMs} ms`)
    return within(signMs, this.signAgainIfLost(digest), late)
  }

  async close(): Promise<void> {
    this.closing.abort()
    clearTimeout(this.retry)
    clearInterval(this.refresh)
    await this.opening
    await this.token?.close()
  }

  open(): Promise<TokenError | undefined> {
    return (this.opening ??= this.tryToOpen().finally(() => (this.opening = undefined)))
  }

  logUnavailable({ message }: TokenError): void {
    this.log.error({ reason: message }, 'signing key unavailable, retrying')
  }

  private async signAgainIfLost(digest: Buffer): Promise<Buffer> {
    const token = await this.requireToken()
    try {
      return await token.sign(digest)
    } catch (error) {
      if (this.token === token) throw new KeyUnavailable((error as Error).message, { cause: error })
    }
    const another = await this.requireToken()
    return another.sign(digest).catch((cause: unknown) => {
      throw new KeyUnavailable((cause as Error).message, { cause })
    })
  }

  private async requireToken(): Promise<TokenProcess> {
    if (!this.token && !this.unavailable) await this.opening
    if (!this.token) throw this.keyUnavailable()
    return this.token
  }

  private async tryToOpen(): Promise<TokenError | undefined> {
    try {
      const pin = await readPin(this.config.pinFile)
      if (this.rejectedPin?.pin === pin) throw this.rejectedPin.error
      this.useToken(await this.openWith(pin))
      return undefined
    } catch (error) {
      const tokenError = error as TokenError
      this.retryLater(tokenError)
      return tokenError
    }
  }

  private async openWith(pin: string): Promise<TokenProcess> {
    const { module, token: config, environment } = this.config
    try {
      return await openTokenProcess({
        module,
        config,
        environment,
        pin,
        signal: this.closing.signal,
        answerMs: this.times.answerMs,
        onLost: (tokenError) => this.handleLoss(tokenError),
      })
    } catch (error) {
      if ((error as TokenError).kind === 'pin') {
        this.rejectedPin = { pin, error: error as TokenError }
      }
      throw error
    }
  }

  private useToken(token: TokenProcess): void {
    if (this.unavailable) this.log.info('token available again')
    this.token = token
    this.tokenOpenedMs = performance.now()
    this.unavailable = undefined
  }

  private handleLoss(tokenError: TokenError): void {
    this.lastIdentity = this.token?.identity
    this.token = undefined
    if (this.closing.signal.aborted) return
    if (performance.now() - this.tokenOpenedMs < this.times.shortLifeMs) {
      this.retryLater(tokenError)
      this.logUnavailable(tokenError)
      return
    }
    this.log.warn({ reason: tokenError.message }, 'connection to the token lost, reopening')
    this.failures = 0
    this.openAgain()
  }

  private openAgain(): void {
    const known = this.unavailable?.message
    void this.open().then((tokenError) => {
      if (tokenError && tokenError.message !== known) this.logUnavailable(tokenError)
    })
  }

  private retryLater(tokenError: TokenError): void {
    this.unavailable = tokenError
    if (this.closing.signal.aborted) return
    const delayMs = Math.min(retryFirstMs * 2 ** this.failures++, retryLastMs)
    this.retry = setTimeout(() => this.openAgain(), delayMs * (0.8 + 0.4 * Math.random()))
  }

  private keyUnavailable(): KeyUnavailable {
    return new KeyUnavailable(this.unavailable?.message ?? 'the token is being opened', {
      cause: this.unavailable,
    })
  }
}
