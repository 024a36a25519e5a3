import type { Queue } from '../store'

/** As stored: evidence_work has the time stamps, long_term_work the evidence. */
export const workTables = {
  archive: 'archive_work',
  'time-stamps': 'evidence_work',
  evidence: 'long_term_work',
} as const satisfies Record<Queue, string>

export type WorkTable = (typeof workTables)[Queue]
