/**
 * A network that sent many unknown keys gets no further unknown key looked up for the rest of the
 * minute. Keys accepted lately are always looked up, as many clients may share one address. A key
 * found invalid lately is answered 401 and counts once: a program with a revoked key does not block
 * its new one.
 */

import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limits } from '@einvoicing/domain/limits'

const rejections = new Counter({
  name: 'einvoicing_unknown_key_refusals_total',
  help: 'Requests rejected without a lookup because their network had sent too many unknown API keys',
  registers: [metrics],
})

const rememberedMax = 10_000
const windowSeconds = 60

export class UnknownKeys {
  /** Digests, least recently used first. */
  private readonly accepted = new Set<string>()
  /** By digest, oldest first: the message, and the monotonic time until which it is stored. */
  private readonly invalid = new Map<string, { message: string; until: number }>()
  private readonly unknown = new RateLimiterMemory({
    points: limits.unknownKeysPerMinute,
    duration: windowSeconds,
  })

  /** Throws `API_KEY_RATE_LIMITED` for a new key from a network with too many unknown ones. */
  async guard<T>(network: string, digest: Buffer, lookUp: () => Promise<T>): Promise<T> {
    const name = digest.toString('latin1')
    const invalid = this.findInvalid(name)
    if (invalid) throw new ApiError('API_KEY_INVALID', invalid.message)
    const wasAccepted = this.accepted.has(name)
    if (!wasAccepted) await this.checkNetwork(network)
    try {
      const found = await lookUp()
      this.remember(name)
      return found
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'API_KEY_INVALID') {
        this.accepted.delete(name)
        const isCounted = wasAccepted || this.findInvalid(name) !== undefined
        this.rememberInvalid(name, thrown.message)
        if (!isCounted) await this.unknown.penalty(network, 1)
      }
      throw thrown
    }
  }

  private findInvalid(name: string) {
    const invalid = this.invalid.get(name)
    return invalid && invalid.until > performance.now() ? invalid : undefined
  }

  private rememberInvalid(name: string, message: string): void {
    this.invalid.delete(name)
    makeSpace(this.invalid)
    this.invalid.set(name, { message, until: performance.now() + windowSeconds * 1000 })
  }

  private async checkNetwork(network: string): Promise<void> {
    const sent = await this.unknown.get(network)
    if (!sent || sent.consumedPoints < limits.unknownKeysPerMinute) return
    rejections.inc()
    const retryAfterSeconds = Math.max(1, Math.ceil(sent.msBeforeNext / 1000))
    throw new ApiError(
      'API_KEY_RATE_LIMITED',
      `Your network has sent ${limits.unknownKeysPerMinute} invalid API keys. Compare your key with those at /dashboard, and try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
  }

  private remember(name: string): void {
    this.accepted.delete(name)
    makeSpace(this.accepted)
    this.accepted.add(name)
  }
}

function makeSpace(remembered: Set<string> | Map<string, unknown>): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
}
