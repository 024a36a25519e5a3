import type { Queue } from '../store'

export const workTables = {
  archive: 'archive_work',
  'time-stamps': 'evidence_work',
  evidence: 'long_term_work',
} as const satisfies Record<Queue, string>

export type WorkTable = (typeof workTables)[Queue]
