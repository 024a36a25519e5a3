import { limits } from '@einvoicing/domain/limits'
import type { ListAuditRequest } from '@einvoicing/proto/invoice'
import { calendarDate, annotateRule, filledText, defineRule } from '../fields/rules'
import { isUuid, uuidPattern } from '../fields/uuid'
import { toPageRequest, pageRules, readQuery, type QueryRules } from '../fields/read-query'
import { addDays, toStartOfDay } from './days'

export const auditFilters: QueryRules = {
  action: annotateRule(filledText(limits.auditFilterLength), {
    description: 'An exact action, or a prefix that ends with a dot.',
    examples: ['invoice.rejected', 'invoice.'],
  }),
  actor: annotateRule(filledText(limits.auditFilterLength), {
    description: 'An exact actor, as the log shows it, or a prefix that ends with a colon.',
    examples: ['user:name@example.com', 'user:'],
  }),
  invoiceId: defineRule({ type: 'string', pattern: uuidPattern }, (value) =>
    isUuid(String(value)) ? undefined : 'must be the id of an invoice',
  ),
  network: annotateRule(filledText(limits.auditFilterLength), {
    description: 'An exact network, as the log shows it. Entries of invoices have none.',
    examples: ['192.0.2.1'],
  }),
  device: annotateRule(filledText(limits.auditFilterLength), {
    description: 'Part of the device, ignoring case. Entries of invoices have none.',
    examples: ['Firefox'],
  }),
  from: annotateRule(calendarDate, { description: 'The first day (Africa/Casablanca), included.' }),
  to: annotateRule(calendarDate, {
    description: 'The last day (Africa/Casablanca), included; not before from.',
  }),
}

export const auditRules: QueryRules = { ...pageRules, ...auditFilters }

export function readAuditQuery(url: string, rules = auditRules): ListAuditRequest {
  const query = readQuery(url, rules, ({ from, to }) => {
    if (calendarDate(from) ?? calendarDate(to)) return []
    if (String(from) <= String(to)) return []
    return [{ field: 'to', message: `must not be before from (${String(from)})` }]
  })
  const { action, actor, invoiceId, network, device, from, to } = query
  return {
    ...toPageRequest(query),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(invoiceId !== undefined && { invoiceId: invoiceId.toLowerCase() }),
    ...(network !== undefined && { network }),
    ...(device !== undefined && { device }),
    ...(from !== undefined && { atFrom: toStartOfDay(from) }),
    ...(to !== undefined && { atBefore: toStartOfDay(addDays(to)) }),
  }
}
