/**
 * The query of the list (specification, section 4.4) and of every paged list: all faults at once,
 * names we do not know and names given twice included, because a filter lost to a typo answers with
 * other people's questions.
 */

import { limits } from '@einvoicing/kernel/limits'
import type { FieldFault } from '@einvoicing/kernel/refusal'
import type { InvoiceStatus, PageRequest } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { invalid } from '../fields/field-faults'
import { calendarDate, filledText, oneOf, type Rule } from '../fields/rules'
import { unknownFieldMessage } from '../fields/unknown-field'
import { buyerIce } from './invoice-schema'

export const sortProperties = [
  'createdAt',
  'updatedAt',
  'invoiceDate',
  'dueDate',
  'invoiceNumber',
  'status',
  'buyerName',
  'amountHt',
  'amountVat',
  'amountTtc',
] as const

const statuses = [
  'PENDING',
  'SIGNED',
  'TRANSMITTED',
  'ACCEPTED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
] as const

type Rules = Record<string, Rule>
type Parameters = Record<string, string>

const pageRules: Rules = {
  page: wholeNumber(0, limits.pageMax),
  size: wholeNumber(1, limits.pageSizeMax),
}

const listRules: Rules = {
  ...pageRules,
  status: oneOf(statuses),
  sort: sortOrder,
  invoiceNumber: filledText(limits.invoiceNumberLength),
  buyerIce,
  invoiceDateFrom: calendarDate,
  invoiceDateTo: calendarDate,
}

/** Throws `VALIDATION_ERROR`. */
export function readListQuery(url: string): ListInvoicesRequest {
  const query = readQuery(url, listRules, datesOutOfOrder)
  const [sortBy = '', direction] = (query['sort'] ?? 'createdAt,desc').split(',')
  const { status, invoiceNumber, buyerIce, invoiceDateFrom, invoiceDateTo } = query
  return {
    ...(status !== undefined && { status: status as InvoiceStatus }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    ...(buyerIce !== undefined && { buyerIce }),
    ...(invoiceDateFrom !== undefined && { invoiceDateFrom }),
    ...(invoiceDateTo !== undefined && { invoiceDateTo }),
    page: pageOf(query),
    sortBy,
    descending: direction === 'desc',
  }
}

/** For lists that are only paged. Throws `VALIDATION_ERROR`. */
export function readPageQuery(url: string): PageRequest {
  return pageOf(readQuery(url, pageRules))
}

function pageOf(query: Parameters): PageRequest {
  return {
    page: Number(query['page'] ?? 0),
    size: Number(query['size'] ?? limits.pageSizeDefault),
  }
}

function readQuery(
  url: string,
  rules: Rules,
  crossFaults: (query: Parameters) => FieldFault[] = () => [],
): Parameters {
  const questionMark = url.indexOf('?')
  if (questionMark < 0) return {}
  const parameters = new URLSearchParams(url.slice(questionMark + 1))
  const names = [...new Set(parameters.keys())]
  const faults = names.flatMap((name): FieldFault[] => {
    const message = parameterFault(name, parameters.getAll(name), rules)
    return message === undefined ? [] : [{ field: name.slice(0, 100), message }]
  })
  const query = Object.fromEntries(parameters)
  faults.push(...crossFaults(query))
  if (faults.length > 0) throw invalid(faults)
  return query
}

function parameterFault(name: string, values: string[], rules: Rules): string | undefined {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (!rule) return unknownFieldMessage(name, Object.keys(rules)).replace('field', 'parameter')
  return values.length > 1 ? 'must be given once' : rule(values[0])
}

function datesOutOfOrder({ invoiceDateFrom, invoiceDateTo }: Parameters): FieldFault[] {
  if (calendarDate(invoiceDateFrom) ?? calendarDate(invoiceDateTo)) return []
  if (String(invoiceDateFrom) <= String(invoiceDateTo)) return []
  const message = `must not be before invoiceDateFrom (${String(invoiceDateFrom)})`
  return [{ field: 'invoiceDateTo', message }]
}

function wholeNumber(min: number, max: number): Rule {
  return (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return undefined
    return `must be a whole number from ${min} to ${max}`
  }
}

function sortOrder(value: unknown): string | undefined {
  const [property, direction, ...rest] = String(value).split(',')
  const known = (sortProperties as readonly unknown[]).includes(property)
  if (known && (direction === 'asc' || direction === 'desc') && rest.length === 0) return undefined
  return `must be property,asc or property,desc, with one of ${sortProperties.join(', ')}`
}
