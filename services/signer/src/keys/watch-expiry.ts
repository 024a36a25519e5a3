import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Gauge } from 'prom-client'
import { readExpiryMs, renewBeforeMs } from './certificate-expiry'
import type { SigningIdentity, SigningKey } from './signing-key'

const dayMs = 86_400_000
const checkIntervalMs = 60_000

const expires = new Gauge({
  name: 'einvoicing_signing_certificate_expires_timestamp_seconds',
  help: 'When the signing certificate expires, in seconds since the epoch; as last seen while the token is unavailable',
  registers: [metrics],
})

/** Checks every minute, so that a renewed certificate is noticed. */
export function watchExpiry(
  key: SigningKey,
  { now, log }: { now: Clock; log: Log },
): { close(): void } {
  let nextWarningMs = 0
  const checkExpiry = () => {
    const identity = findIdentity(key)
    if (!identity) return
    const endsAtMs = readExpiryMs(identity)
    expires.set(endsAtMs / 1_000)
    const nowMs = now().getTime()
    const daysLeft = Math.floor((endsAtMs - nowMs) / dayMs)
    if (endsAtMs - nowMs >= renewBeforeMs || nowMs < nextWarningMs) return
    nextWarningMs = nowMs + dayMs
    const validTo = new Date(endsAtMs).toISOString()
    const what = nowMs >= endsAtMs ? 'has expired' : 'expires soon'
    log.warn({ validTo, daysLeft }, `the signing certificate ${what}: ${key.renewal}`)
  }
  checkExpiry()
  const timer = setInterval(checkExpiry, checkIntervalMs).unref()
  return { close: () => clearInterval(timer) }
}

function findIdentity(key: SigningKey): SigningIdentity | undefined {
  try {
    return key.identity()
  } catch {
    // Requests for signatures report it, and the metric stays as last seen.
    return undefined
  }
}
