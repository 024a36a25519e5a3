import { frozenMentions } from '@einvoicing/domain/approval'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { StoredApproval } from './store/store'

/** Other services need only what keeps an organization from signing. */
export function toUnapproved(approval: StoredApproval): { approval?: string } {
  return approval === undefined || approval === 'APPROVED' ? {} : { approval }
}

export interface Frozen {
  approval: StoredApproval
  hasSigned: boolean
}

/** Throws `VALIDATION_ERROR` for a name or ICE that the organization may no longer change. */
export function rejectFrozen(
  before: LegalMentions,
  after: LegalMentions,
  { approval, hasSigned }: Frozen,
): void {
  const isDecided = approval === 'APPROVED' || approval === 'SUSPENDED'
  if (!isDecided && !hasSigned) return
  const since = isDecided
    ? 'since the operator checked your organization'
    : 'since your first invoice was signed'
  const changed = frozenMentions.filter((name) => before[name] !== after[name])
  if (changed.length === 0) return
  const message = `can no longer be changed, ${since}: contact the operator of this service`
  throw createValidationError(changed.map((field) => ({ field, message })))
}
