import { originalRejectedCode } from '@einvoicing/domain/creditable'
import type { ArchivePart, WorkPart } from '../store'

export const workIndex = (name: string, field: string) => ({
  name,
  key: { [`${field}.position`]: 1 },
  sparse: true,
})

export const archiveIndexes = {
  'signed-xml': { turns: 'unarchived_xml_turns', dead: 'archive_dead_xml' },
  final: { turns: 'unarchived_final_turns', dead: 'archive_dead_final' },
} as const satisfies Record<ArchivePart, unknown>

export const turnsIndexes = {
  'signed-xml': archiveIndexes['signed-xml'].turns,
  final: archiveIndexes.final.turns,
  'time-stamp': 'time_stamp_turns',
  evidence: 'evidence_turns',
} as const satisfies Record<WorkPart, string>

export const unauditedIndex = 'unaudited_turns'

export const renewalIndex = 'evidence_by_renewal'

/** By whether work for it is queued, so that a search reads none of what is. */
export const toRenewIndex = {
  name: 'evidence_to_renew',
  key: { 'unarchived.evidence.position': 1, 'evidence.renewBy': 1 },
  partialFilterExpression: { 'evidence.renewBy': { $exists: true } },
} as const

/** Renewals apart: the backlog of evidence reads none of them. */
export const firstEvidenceIndex = {
  name: 'evidence_first',
  key: { 'evidence.renewBy': 1, 'unarchived.evidence.position': 1 },
  partialFilterExpression: { 'unarchived.evidence.position': { $exists: true } },
} as const

export const rejectedOriginals = {
  'invoice.status': 'FAILED',
  'invoice.dgiErrorCode': originalRejectedCode,
} as const

export const rejectedOriginalsIndex = {
  name: 'failed_for_original',
  key: { 'invoice.status': 1, 'invoice.dgiErrorCode': 1 },
  partialFilterExpression: rejectedOriginals,
} as const

export const workTurnsIndex = (part: WorkPart) => {
  const field = `unarchived.${part}`
  return {
    name: turnsIndexes[part],
    key: {
      organizationId: 1,
      [`${field}.nextAttemptAt`]: 1,
      [`${field}.position`]: 1,
      [`${field}.writer`]: 1,
    } as const,
    partialFilterExpression: { [`${field}.position`]: { $exists: true } },
  }
}
