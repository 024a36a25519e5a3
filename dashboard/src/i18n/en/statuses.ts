/** The seven statuses of an invoice, in a word and in a sentence. */

export const statuses = {
  PENDING: 'Draft',
  SIGNED: 'Signed',
  TRANSMITTED: 'Transmitted',
  ACCEPTED: 'Accepted',
  REJECTED: 'Rejected',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  told: {
    PENDING: 'Not signed yet: it can be edited.',
    SIGNED: 'Signed; on its way to the tax authority.',
    TRANSMITTED: 'With the tax authority; its verdict is awaited.',
    ACCEPTED: 'Accepted by the tax authority: the invoice is valid.',
    REJECTED: 'Refused by the tax authority: see why.',
    FAILED: 'Could not be transmitted: it can be sent again.',
    CANCELLED: 'Cancelled; its number stays taken.',
  },
}
