/** The path of the audit log as a table. */

import { auditFilters } from '../dashboard/audit-query'
import { entriesWrittenMax } from '../dashboard/audit-csv'
import { operation, queryParameters, type Paths } from './operation'
import { header } from './responses'

export const auditCsvPaths: Paths = {
  '/dashboard/api/audit.csv': {
    get: operation({
      id: 'downloadAudit',
      tag: 'Dashboard',
      summary: 'The audit log as CSV, newest first.',
      description: `In UTF-8 with a byte order mark; what a spreadsheet would take for a formula begins with an apostrophe. At most the newest ${entriesWrittenMax} entries: a last row says so.`,
      caller: 'session',
      parameters: queryParameters(auditFilters),
      answer: {
        responses: {
          200: {
            description: 'The table, as a file.',
            headers: header('X-Request-Id', 'Content-Disposition'),
            content: { 'text/csv': { schema: { type: 'string' } } },
          },
        },
      },
      refusals: ['VALIDATION_ERROR'],
    }),
  },
}
