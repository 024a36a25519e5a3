/**
 * Bounds what a stranger's invented keys may cost: a key that nobody has is looked up like any
 * other, so a network that sent many of them has no more looked up for the rest of the minute.
 *
 * A key that was accepted lately is always looked up, whatever its network did: behind one address
 * there may be many. What is remembered lets nobody in.
 */

import { metrics } from '@einvoicing/kernel/metrics'
import { Refusal } from '@einvoicing/kernel/refusal'
import { Counter } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limits } from '@einvoicing/kernel/limits'

const refusals = new Counter({
  name: 'einvoicing_unknown_key_refusals_total',
  help: 'Requests refused without a look-up because their network had sent too many unknown API keys',
  registers: [metrics],
})

const acceptedMax = 10_000
const windowSeconds = 60

export class UnknownKeys {
  /** Digests, the longest unused first. */
  private readonly accepted = new Set<string>()
  private readonly unknown = new RateLimiterMemory({
    points: limits.unknownKeysPerMinute,
    duration: windowSeconds,
  })

  /**
   * What `lookUp` answers. Throws `API_KEY_RATE_LIMITED` for a key not seen before from a network
   * that has sent too many that nobody has.
   */
  async guard<T>(network: string, digest: Buffer, lookUp: () => Promise<T>): Promise<T> {
    const name = digest.toString('latin1')
    if (!this.accepted.has(name)) await this.refuseWorn(network)
    try {
      const found = await lookUp()
      this.remember(name)
      return found
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.code === 'API_KEY_INVALID') {
        this.accepted.delete(name)
        await this.unknown.penalty(network, 1)
      }
      throw thrown
    }
  }

  private async refuseWorn(network: string): Promise<void> {
    const sent = await this.unknown.get(network)
    if (!sent || sent.consumedPoints < limits.unknownKeysPerMinute) return
    refusals.inc()
    const retryAfterSeconds = Math.max(1, Math.ceil(sent.msBeforeNext / 1000))
    throw new Refusal(
      'API_KEY_RATE_LIMITED',
      `Your network has sent ${limits.unknownKeysPerMinute} API keys that are not valid. Compare the key with the one at /dashboard, and try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    )
  }

  private remember(name: string): void {
    this.accepted.delete(name)
    const [oldest] = this.accepted
    if (this.accepted.size >= acceptedMax && oldest !== undefined) this.accepted.delete(oldest)
    this.accepted.add(name)
  }
}
