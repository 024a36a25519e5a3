import type { Log } from '@einvoicing/runtime/log'
import type { Bus } from './bus'
import type { BusConfig } from './config'

/** Throws `SettingsError` on what never recovers by itself; waits for an unavailable server. */
export async function openBus(config: BusConfig, log: Log): Promise<Bus> {
  const { openNatsBus } = await import('@einvoicing/events/nats/nats-bus')
  return openNatsBus(config, { log })
}
