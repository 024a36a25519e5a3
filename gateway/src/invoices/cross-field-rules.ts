// Reads the raw body, so that all errors are reported together; a field of the wrong type is
// ignored.

import type { FieldError } from '@einvoicing/domain/api-error'
import { findDateErrors } from '@einvoicing/domain/invoice-dates'
import { limits } from '@einvoicing/domain/limits'
import { hasVisibleText } from '@einvoicing/domain/visible-text'
import { findStructureErrors } from '@einvoicing/profile/content-rules'
import { calendarDate } from '../fields/rules'
import type { JsonObject } from '../http/body/read-json'
import { invoiceDate as invoiceDateRule } from './invoice-schema'

export function crossFieldErrors(body: JsonObject, now: Date): FieldError[] {
  const lines: unknown[] = Array.isArray(body['lines']) ? body['lines'] : []
  return [
    ...dateErrors(body, now),
    ...findStructureErrors(body),
    ...repeatedNumbers(lines),
    ...reasonsWithoutExemption(lines),
  ]
}

function dateErrors({ invoiceDate, dueDate }: JsonObject, now: Date): FieldError[] {
  if (invoiceDateRule(invoiceDate) !== undefined) return []
  const due = calendarDate(dueDate) === undefined ? String(dueDate) : undefined
  return findDateErrors({ invoiceDate: String(invoiceDate), dueDate: due }, now)
}

function repeatedNumbers(lines: readonly unknown[]): FieldError[] {
  const firstIndexByNumber = new Map<number, number>()
  const errors: FieldError[] = []
  lines.forEach((line, index) => {
    const number = readField(line, 'lineNumber')
    if (typeof number !== 'number') return
    const first = firstIndexByNumber.get(number)
    if (first === undefined) firstIndexByNumber.set(number, index)
    else if (errors.length < limits.fieldErrorsReported) {
      const message = `must be unique; lines[${first}] already has ${number}`
      errors.push({ field: `lines[${index}].lineNumber`, message })
    }
  })
  return errors
}

function reasonsWithoutExemption(lines: readonly unknown[]): FieldError[] {
  return lines.flatMap((line, index) => {
    const reason = readField(line, 'vatExemptionReason')
    if (typeof reason !== 'string' || !hasVisibleText(reason)) return []
    if (readField(line, 'vatRate') === 0) return []
    const field = `lines[${index}].vatExemptionReason`
    return [{ field, message: 'is allowed only with vatRate 0' }]
  })
}

function readField(line: unknown, name: string): unknown {
  return typeof line === 'object' && line !== null ? (line as JsonObject)[name] : undefined
}
