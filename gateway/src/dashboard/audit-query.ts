/** What may be asked of the audit log: which entries, by whom, of which days. */

import { limits } from '@einvoicing/domain/limits'
import type { ListAuditRequest } from '@einvoicing/proto/invoice'
import { calendarDate, described, filledText, ruleOf } from '../fields/rules'
import { isUuid, uuidPattern } from '../fields/uuid'
import { pageOf, pageRules, readQuery, type Rules } from '../invoices/read-query'
import { dayAfter, startOfDay } from './days'

export const auditFilters: Rules = {
  action: described(filledText(limits.auditFilterLength), {
    description: 'Exactly this action; each that begins with it where it ends with a dot.',
    examples: ['invoice.rejected', 'invoice.'],
  }),
  actor: described(filledText(limits.auditFilterLength), {
    description: 'Exactly this actor, as the log has it.',
    examples: ['user:name@example.com'],
  }),
  invoiceId: ruleOf({ type: 'string', pattern: uuidPattern }, (value) =>
    isUuid(String(value)) ? undefined : 'must be the id of an invoice',
  ),
  from: described(calendarDate, { description: 'The first day (Africa/Casablanca), included.' }),
  to: described(calendarDate, {
    description: 'The last day (Africa/Casablanca), included; not before from.',
  }),
}

export const auditRules: Rules = { ...pageRules, ...auditFilters }

/** Throws `VALIDATION_ERROR`. */
export function readAuditQuery(url: string, rules = auditRules): ListAuditRequest {
  const query = readQuery(url, rules, ({ from, to }) => {
    if (calendarDate(from) ?? calendarDate(to)) return []
    if (String(from) <= String(to)) return []
    return [{ field: 'to', message: `must not be before from (${String(from)})` }]
  })
  const { action, actor, invoiceId, from, to } = query
  return {
    ...pageOf(query),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(invoiceId !== undefined && { invoiceId }),
    ...(from !== undefined && { atFrom: startOfDay(from) }),
    ...(to !== undefined && { atBefore: startOfDay(dayAfter(to)) }),
  }
}
