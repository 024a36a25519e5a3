/**
 * The query of the list (specification, section 4.4) and of every paged list: all faults at once,
 * names we do not know and names given twice included, because a filter lost to a typo answers with
 * other people's questions.
 */

import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import type { InvoiceStatus, PageRequest } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { invalid } from '../fields/field-errors'
import { calendarDate, described, filledText, oneOf, ruleOf, type Rule } from '../fields/rules'
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

/** By the parameter's name. */
export type Rules = Readonly<Record<string, Rule>>
type Parameters = Partial<Record<string, string>>

const defaults = { page: 0, size: limits.pageSizeDefault, sort: 'createdAt,desc' } as const

export const pageRules: Rules = {
  page: described(wholeNumber(0, limits.pageMax), {
    default: defaults.page,
    description: 'From 0. A page past the end is empty, with the true totals.',
  }),
  size: described(wholeNumber(1, limits.pageSizeMax), { default: defaults.size }),
}

const sortOrders = sortProperties.flatMap((property) => [`${property},asc`, `${property},desc`])

export const listRules: Rules = {
  ...pageRules,
  status: oneOf(invoiceStatuses),
  sort: ruleOf(
    {
      type: 'string',
      enum: sortOrders,
      default: defaults.sort,
      description: 'Ties are broken by id, so that pages never overlap.',
    },
    (value) =>
      sortOrders.includes(String(value))
        ? undefined
        : `must be property,asc or property,desc, with one of ${sortProperties.join(', ')}`,
  ),
  invoiceNumber: described(filledText(limits.invoiceNumberLength), {
    description: 'Exactly this number, whatever its Unicode form.',
  }),
  buyerIce,
  search: described(filledText(limits.searchLength), {
    description:
      "In any case of letters: in the number, in the buyer's name, or at the beginning of the buyer's ICE.",
  }),
  invoiceDateFrom: described(calendarDate, { description: 'The first day, included.' }),
  invoiceDateTo: described(calendarDate, {
    description: 'The last day, included; not before invoiceDateFrom.',
  }),
}

/** Throws `VALIDATION_ERROR`. */
export function readListQuery(url: string): ListInvoicesRequest {
  const query = readQuery(url, listRules, datesOutOfOrder)
  const [sortBy = '', direction] = (query['sort'] ?? defaults.sort).split(',')
  const { status, invoiceNumber, buyerIce, invoiceDateFrom, invoiceDateTo, search } = query
  return {
    ...(status !== undefined && { status: status as InvoiceStatus }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    ...(buyerIce !== undefined && { buyerIce }),
    ...(invoiceDateFrom !== undefined && { invoiceDateFrom }),
    ...(invoiceDateTo !== undefined && { invoiceDateTo }),
    ...(search !== undefined && { search: search.trim() }),
    page: pageOf(query),
    sortBy,
    descending: direction === 'desc',
  }
}

/** For lists that are only paged. Throws `VALIDATION_ERROR`. */
export function readPageQuery(url: string): PageRequest {
  return pageOf(readQuery(url, pageRules))
}

export function pageOf(query: Parameters): PageRequest {
  return {
    page: Number(query['page'] ?? defaults.page),
    size: Number(query['size'] ?? defaults.size),
  }
}

/** By the parameters' names. Throws `VALIDATION_ERROR`. */
export function readQuery(
  url: string,
  rules: Rules,
  crossFaults: (query: Parameters) => FieldError[] = () => [],
): Parameters {
  const questionMark = url.indexOf('?')
  if (questionMark < 0) return {}
  const parameters = new URLSearchParams(url.slice(questionMark + 1))
  const names = [...new Set(parameters.keys())]
  const faults = names.flatMap((name): FieldError[] => {
    const message = parameterFault(name, parameters.getAll(name), rules)
    return message === undefined ? [] : [{ field: name.slice(0, 100) || 'query[""]', message }]
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

function datesOutOfOrder({ invoiceDateFrom, invoiceDateTo }: Parameters): FieldError[] {
  if (calendarDate(invoiceDateFrom) ?? calendarDate(invoiceDateTo)) return []
  if (String(invoiceDateFrom) <= String(invoiceDateTo)) return []
  const message = `must not be before invoiceDateFrom (${String(invoiceDateFrom)})`
  return [{ field: 'invoiceDateTo', message }]
}

export function wholeNumber(min: number, max: number): Rule {
  return ruleOf({ type: 'integer', minimum: min, maximum: max }, (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return undefined
    return `must be a whole number from ${min} to ${max}`
  })
}
