/** The path of how an organization's invoices fare. */

import { overviewRules } from '../dashboard/overview'
import { operation, queryParameters, type Paths } from './operation'

const overview = {
  statuses: {
    ...{ PENDING: 1, SIGNED: 0, TRANSMITTED: 2, ACCEPTED: 1204 },
    ...{ REJECTED: 7, FAILED: 0, CANCELLED: 3 },
  },
  days: [
    { date: '2026-05-02', invoices: 0, amountTtc: {} },
    { date: '2026-05-03', invoices: 42, amountTtc: { JPY: 386, MAD: 459369.54 } },
  ],
  clearance: { count: 41, medianMs: 812.5, p95Ms: 1904 },
  rejections: [{ errorCode: 'BUYER_UNKNOWN', count: 2 }],
  certificate: { notAfter: '2028-05-03T09:30:00.000Z', daysLeft: 731 },
  currencies: ['JPY', 'MAD'],
}

export const overviewPaths: Paths = {
  '/dashboard/api/overview': {
    get: operation({
      id: 'readOverview',
      tag: 'Dashboard',
      summary: 'How the invoices fare: statuses, days, time to clearance, rejections.',
      description: [
        '`statuses` counts all invoices; `days` those created each day of Africa/Casablanca, oldest first; `clearance` and `rejections` those decided in the span. Amounts are by currency, without what is PENDING or CANCELLED.',
        'Time to clearance is from the signature until the verdict was here: the median, and what 95 % did not exceed; null where nothing was decided. `certificate` is what invoices are signed with, null where the signer does not tell.',
      ].join(' '),
      caller: 'session',
      parameters: queryParameters(overviewRules),
      answer: { data: 'Overview', examples: { twoDays: overview } },
      refusals: ['VALIDATION_ERROR'],
    }),
  },
}
