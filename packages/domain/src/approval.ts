// With `SIGNUP=approval` an operator checks an organization before it may sign invoices.

import { ApiError } from './api-error'

export const approvals = ['PENDING', 'APPROVED', 'SUSPENDED'] as const

export type Approval = (typeof approvals)[number]

export const unapproved = ['PENDING', 'SUSPENDED'] as const satisfies readonly Approval[]

/** Absent: approved. */
export function toApproval(text: string | undefined): Approval {
  return approvals.find((one) => one === text) ?? 'APPROVED'
}

/** Fixed by the approval or by the first signed invoice. */
export const frozenMentions = ['name', 'ice'] as const

export function organizationNotApproved(approval: Exclude<Approval, 'APPROVED'>): ApiError {
  return new ApiError('ORGANIZATION_NOT_APPROVED', messages[approval])
}

const messages = {
  PENDING:
    'Your organization is not approved yet, so it cannot sign invoices. The operator of this service checks its legal details and documents, then its owners receive an email. Until then prepare drafts ("draft": true), which can be signed afterwards.',
  SUSPENDED:
    'Your organization was suspended by the operator of this service, so it cannot sign invoices. It can still read and export everything. Contact the operator.',
} as const
