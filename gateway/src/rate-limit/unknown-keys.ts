/**
 * Bounds what a stranger's invented keys may cost: a network that sent many keys that no one has
 * has no key looked up that is new here, for the rest of the minute.
 *
 * A key that was accepted lately is always looked up, whatever its network did: behind one address
 * there may be many. One that was found invalid lately stays so, for a revoked key never comes
 * back: it is answered 401 without a look-up, and counts once, so that a program which goes on
 * with a revoked key does not keep the key that replaces it out.
 */

import { apiKeyInvalid } from '@einvoicing/access/api-key'
import { metrics } from '@einvoicing/runtime/metrics'
import { ApiError } from '@einvoicing/domain/api-error'
import { Counter } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limits } from '@einvoicing/domain/limits'

const apiErrors = new Counter({
  name: 'einvoicing_unknown_key_refusals_total',
  help: 'Requests refused without a look-up because their network had sent too many unknown API keys',
  registers: [metrics],
})

const rememberedMax = 10_000
const windowSeconds = 60

export class UnknownKeys {
  /** Digests, the longest unused first. */
  private readonly accepted = new Set<string>()
  /** Digests, with the monotonic moment until which each is remembered, the oldest first. */
  private readonly invalid = new Map<string, number>()
  private readonly unknown = new RateLimiterMemory({
    points: limits.unknownKeysPerMinute,
    duration: windowSeconds,
  })

  /**
   * What `lookUp` answers. Throws `API_KEY_RATE_LIMITED` for a key not seen before from a network
   * that has sent too many that no one has.
   */
  async guard<T>(network: string, digest: Buffer, lookUp: () => Promise<T>): Promise<T> {
    const name = digest.toString('latin1')
    if (this.isInvalid(name)) throw apiKeyInvalid()
    const wasAccepted = this.accepted.has(name)
    if (!wasAccepted) await this.checkNetwork(network)
    try {
      const found = await lookUp()
      this.remember(name)
      return found
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'API_KEY_INVALID') {
        this.accepted.delete(name)
        this.rememberInvalid(name)
        if (!wasAccepted) await this.unknown.penalty(network, 1)
      }
      throw thrown
    }
  }

  private isInvalid(name: string): boolean {
    return (this.invalid.get(name) ?? -Infinity) > performance.now()
  }

  private rememberInvalid(name: string): void {
    this.invalid.delete(name)
    makeRoom(this.invalid)
    this.invalid.set(name, performance.now() + windowSeconds * 1000)
  }

  private async checkNetwork(network: string): Promise<void> {
    const sent = await this.unknown.get(network)
    if (!sent || sent.consumedPoints < limits.unknownKeysPerMinute) return
    apiErrors.inc()
    const retryAfterSeconds = Math.max(1, Math.ceil(sent.msBeforeNext / 1000))
    throw new ApiError(
      'API_KEY_RATE_LIMITED',
      `Your network has sent ${limits.unknownKeysPerMinute} API keys that are not valid. Compare the key with the one at /dashboard, and try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
  }

  private remember(name: string): void {
    this.accepted.delete(name)
    makeRoom(this.accepted)
    this.accepted.add(name)
  }
}

function makeRoom(remembered: Set<string> | Map<string, unknown>): void {
  const [oldest] = remembered.keys()
  if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
}
