import { Gauge, Registry, collectDefaultMetrics, type Histogram } from 'prom-client'
import { readVersion } from './version'

export const metrics = new Registry()

export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: metrics })
  const build = new Gauge({
    name: 'einvoicing_build_info',
    help: '1, by the version that runs',
    labelNames: ['version'],
    registers: [metrics],
  })
  build.set({ version: readVersion() }, 1)
}

export async function timed<T>(
  histogram: Histogram,
  labels: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const observe = histogram.startTimer(labels)
  try {
    const answer = await work()
    observe({ outcome: 'done' })
    return answer
  } catch (error) {
    observe({ outcome: 'failed' })
    throw error
  }
}

/** Clocks of machines differ by seconds; more means that a clock was set back. */
const clockToleranceMs = 60_000

export function ageSeconds(ageMs: number): number {
  return Math.max(0, ageMs < -clockToleranceMs ? -ageMs : ageMs) / 1_000
}
