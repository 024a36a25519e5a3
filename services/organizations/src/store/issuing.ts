import type { StoredApproval } from './store'

/** Approvals with which an organization can have signed, the surest first. */
export const issuing: readonly StoredApproval[] = ['APPROVED', undefined, 'SUSPENDED']
