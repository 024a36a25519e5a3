import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL: behind } = constants.priority

export function lowerPriority(pid: number): void {
  setPriority(pid, behind)
  // Linux may share the processors out among sessions first, and each process here has its own.
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(behind))
  } catch {
    // not Linux, or without autogroups: the priority is enough
  }
}
