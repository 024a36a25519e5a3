import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'

export interface LoopTarget {
  url: string
  key: string
  connections: number
  /** Of each invoice; 1 unless said. */
  lines?: number
}

export type LoopTrial = { seconds: number; patienceMs: number } & (
  | { perSecond: number }
  | { atOnce: number }
)

/** Good: 201 within the patience. Late: anything after it, and what found no connection. */
export interface LoopFound {
  offered: number
  good: number
  refused: number
  withoutRetryAfter: number
  other: number
  late: number
  goodPerSecond: number
  goodP50Ms: number
  goodP99Ms: number
  goodP999Ms: number
  refusedP99Ms: number
  /** The longest that the loop itself did not run: then the machine paused. */
  pausedMs: number
}

export interface OpenLoop {
  run(trial: LoopTrial): Promise<LoopFound>
  close(): void
}

/** Resolves when the server has answered once on each connection. */
export async function startOpenLoop(target: LoopTarget): Promise<OpenLoop> {
  const child = fork(findScript(__dirname))
  const request = async <T>(message: object): Promise<T> => {
    child.send(message)
    const [answer] = (await once(child, 'message')) as [T]
    return answer
  }
  await request(target)
  return { run: (trial) => request(trial), close: () => child.disconnect() }
}

// This file runs as it is under Jest, and built, two folders deeper, for the benchmark.
function findScript(folder: string): string {
  const file = path.join(folder, 'processes/open-loop.cjs')
  return existsSync(file) ? file : path.join(folder, '../../stack/processes/open-loop.cjs')
}
