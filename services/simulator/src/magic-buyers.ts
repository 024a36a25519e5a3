/**
 * The ICE is `000000000000` and three digits: 1xx rejected, 2xx time, 4xx and 5xx that HTTP status
 * on the first attempt, 6xx the connection on the first attempt, 9xx every attempt.
 */

import type { FailureName } from './injected-failures'
import type { RejectionCode } from './rejections'

export type Script =
  | { does: 'reject'; code: RejectionCode }
  | { does: 'reject-credit-note'; code: RejectionCode }
  | { does: 'decide-late'; latencyMs: number }
  | { does: 'never-decide' }
  | { does: 'fail-first'; failure: FailureName }
  | { does: 'fail-always'; failure: FailureName }

export const magicBuyers: Readonly<Record<string, Script>> = {
  '000000000000101': { does: 'reject', code: 'BUYER_UNKNOWN' },
  '000000000000102': { does: 'reject', code: 'ISSUER_UNKNOWN' },
  '000000000000103': { does: 'reject', code: 'ISSUER_SUSPENDED' },
  '000000000000104': { does: 'reject', code: 'PERIOD_CLOSED' },
  '000000000000105': { does: 'reject', code: 'DUPLICATE_INVOICE' },
  '000000000000106': { does: 'reject', code: 'INVALID_SIGNATURE' },
  '000000000000107': { does: 'reject', code: 'UNTRUSTED_CERTIFICATE' },
  '000000000000108': { does: 'reject', code: 'INVALID_XML' },
  '000000000000109': { does: 'reject', code: 'AMOUNT_MISMATCH' },
  '000000000000110': { does: 'reject', code: 'INVALID_DATE' },
  '000000000000111': { does: 'reject', code: 'INVALID_ISSUER' },
  '000000000000112': { does: 'reject', code: 'INVALID_BUYER' },
  '000000000000113': { does: 'reject', code: 'PROCESSING_ERROR' },
  // A credit note has the buyer of its invoice, which must be accepted first.
  '000000000000114': { does: 'reject-credit-note', code: 'INVALID_REFERENCE' },
  '000000000000115': { does: 'reject-credit-note', code: 'CREDIT_EXCEEDS_INVOICE' },

  '000000000000201': { does: 'decide-late', latencyMs: 10_000 },
  '000000000000202': { does: 'never-decide' },
  '000000000000203': { does: 'fail-first', failure: 'slow' },

  '000000000000401': { does: 'fail-first', failure: 'unauthorized' },
  '000000000000409': { does: 'fail-first', failure: 'alreadyReported' },
  '000000000000413': { does: 'fail-first', failure: 'tooLarge' },
  '000000000000422': { does: 'fail-first', failure: 'duplicate' },
  '000000000000429': { does: 'fail-first', failure: 'rateLimited' },
  '000000000000500': { does: 'fail-first', failure: 'internalError' },
  '000000000000502': { does: 'fail-first', failure: 'badGateway' },
  '000000000000503': { does: 'fail-first', failure: 'unavailable' },
  '000000000000504': { does: 'fail-first', failure: 'gatewayTimeout' },

  '000000000000601': { does: 'fail-first', failure: 'cut' },
  '000000000000602': { does: 'fail-first', failure: 'lostAnswer' },
  '000000000000603': { does: 'fail-first', failure: 'html' },

  '000000000000901': { does: 'fail-always', failure: 'cut' },
  '000000000000903': { does: 'fail-always', failure: 'unavailable' },
}

export function findScript(buyerIce: string | undefined): Script | undefined {
  if (buyerIce === undefined || !Object.hasOwn(magicBuyers, buyerIce)) return undefined
  return magicBuyers[buyerIce]
}
