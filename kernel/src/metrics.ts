/**
 * Prometheus metrics of this process. Files that measure declare their metric beside what they
 * measure, on this registry.
 */

import { Registry, collectDefaultMetrics } from 'prom-client'

export const metrics = new Registry()

/** The runtime's own figures: event-loop delay, memory, garbage collection. */
export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: metrics })
}
