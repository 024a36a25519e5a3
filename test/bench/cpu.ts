/** CPU time of running processes and their children, from Linux's /proc (proc(5)). */

import { readdirSync, readFileSync } from 'node:fs'

// USER_HZ is 100 on every Linux that Node runs on.
const msPerTick = 10

export interface CpuTime {
  /** Of all threads. */
  ms: number
  mainThreadMs: number
}

/** By name, and by `name/child` for the processes that it started. */
export function readCpuTimes(pids: Readonly<Record<string, number>>): Map<string, CpuTime> {
  const times = new Map<string, CpuTime>()
  const add = (name: string, pid: number) => {
    const [ms, mainThreadMs] = [
      readTicks(`/proc/${pid}/stat`),
      readTicks(`/proc/${pid}/task/${pid}/stat`),
    ]
    if (ms === undefined) return
    times.set(name, { ms: ms * msPerTick, mainThreadMs: (mainThreadMs ?? 0) * msPerTick })
    for (const child of findChildren(pid)) add(`${name}/child`, child)
  }
  for (const [name, pid] of Object.entries(pids)) add(name, pid)
  return times
}

/** What a process holds in memory, in MiB. */
export function readRssMib(pid: number): number {
  const [, kibibytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kibibytes) / 1024)
}

function readTicks(file: string): number | undefined {
  try {
    // The name, in brackets, may hold blanks; after it come state (3), …, utime (14), stime (15).
    const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return undefined // it has ended
  }
}

function findChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
  } catch {
    return []
  }
}
