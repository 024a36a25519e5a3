import { statusNames } from '@einvoicing/domain/status-names'

export const statuses = {
  ...statusNames.en,
  hints: {
    PENDING: 'Not signed yet. It can be edited.',
    SIGNED: 'Signed and queued for the tax authority.',
    TRANSMITTED: 'Received by the tax authority. Waiting for its decision.',
    ACCEPTED: 'Accepted by the tax authority. The invoice is valid.',
    REJECTED: 'Rejected by the tax authority. The reason is on its page.',
    FAILED: 'Not decided by the tax authority. The reason is on its page.',
    CANCELLED: 'Cancelled. Its number cannot be reused.',
  },
}
