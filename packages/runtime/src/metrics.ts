import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Gauge, Registry, collectDefaultMetrics, type Histogram } from 'prom-client'

export const metrics = new Registry()

export function collectRuntimeMetrics(): void {
  collectDefaultMetrics({ register: metrics })
  const build = new Gauge({
    name: 'einvoicing_build_info',
    help: '1, by the version that runs',
    labelNames: ['version'],
    registers: [metrics],
  })
  build.set({ version: readVersion(path.join(__dirname, '..', 'package.json')) }, 1)
}

function readVersion(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
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
