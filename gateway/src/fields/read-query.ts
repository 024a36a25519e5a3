import type { FieldError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { PageRequest } from '@einvoicing/proto/invoice'
import { annotateRule, defineRule, formatValue, type Rule } from './rules'
import { explainUnknownName } from './unknown-field'

export type QueryRules = Readonly<Record<string, Rule>>
export type QueryParameters = Partial<Record<string, string>>

export function wholeNumber(min: number, max: number): Rule {
  return defineRule({ type: 'integer', minimum: min, maximum: max }, (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : -1
    if (number >= min && number <= max) return undefined
    return `must be a whole number from ${min} to ${max}; got ${formatValue(value)}`
  })
}

const defaults = { page: 0, size: limits.pageSizeDefault } as const

export const pageRules: QueryRules = {
  page: annotateRule(wholeNumber(0, limits.pageMax), {
    default: defaults.page,
    description: 'From 0. A page past the end is empty, with the true totals.',
  }),
  size: annotateRule(wholeNumber(1, limits.pageSizeMax), { default: defaults.size }),
}

export function toPageRequest(query: QueryParameters): PageRequest {
  return {
    page: Number(query['page'] ?? defaults.page),
    size: Number(query['size'] ?? defaults.size),
  }
}

/** Rejects unknown and repeated names: ignoring a mistyped filter would answer another query. */
export function readQuery(
  url: string,
  rules: QueryRules,
  findCrossErrors: (query: QueryParameters) => FieldError[] = () => [],
): QueryParameters {
  const questionMark = url.indexOf('?')
  if (questionMark < 0) return {}
  const parameters = new URLSearchParams(url.slice(questionMark + 1))
  const names = [...new Set(parameters.keys())]
  const fieldErrors = names.flatMap((name): FieldError[] => {
    const message = findParameterError(name, parameters.getAll(name), rules)
    return message === undefined ? [] : [{ field: name.slice(0, 100) || 'query[""]', message }]
  })
  const query = Object.fromEntries(parameters)
  fieldErrors.push(...findCrossErrors(query))
  if (fieldErrors.length > 0) throw createValidationError(fieldErrors)
  return query
}

function findParameterError(name: string, values: string[], rules: QueryRules): string | undefined {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (!rule) return explainUnknownName(name, Object.keys(rules), 'parameter')
  return values.length > 1 ? 'must occur only once' : rule(values[0])
}
