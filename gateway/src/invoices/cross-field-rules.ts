/**
 * What two fields of an invoice say about each other.
 *
 * Reads the body as it came, so that these faults are told together with those of the single
 * fields; where a field is not what it should be, there is nothing to compare.
 */

import type { FieldFault } from '@einvoicing/kernel/refusal'
import { limits } from '@einvoicing/kernel/limits'
import { calendarDate } from '../fields/rules'
import type { JsonObject } from '../http/read-json'

export function crossFieldFaults(body: JsonObject): FieldFault[] {
  const lines: unknown[] = Array.isArray(body['lines']) ? body['lines'] : []
  return [...dueDateFaults(body), ...repeatedNumbers(lines), ...reasonsWithoutExemption(lines)]
}

function dueDateFaults({ invoiceDate, dueDate }: JsonObject): FieldFault[] {
  if (calendarDate(invoiceDate) !== undefined || calendarDate(dueDate) !== undefined) return []
  // YYYY-MM-DD sorts as text.
  if (String(dueDate) >= String(invoiceDate)) return []
  const message = `must not be before invoiceDate (${String(invoiceDate)})`
  return [{ field: 'dueDate', message }]
}

function repeatedNumbers(lines: readonly unknown[]): FieldFault[] {
  const firstIndexByNumber = new Map<number, number>()
  const faults: FieldFault[] = []
  lines.forEach((line, index) => {
    const number = fieldOf(line, 'lineNumber')
    if (typeof number !== 'number') return
    const first = firstIndexByNumber.get(number)
    if (first === undefined) firstIndexByNumber.set(number, index)
    else if (faults.length < limits.fieldFaultsReported) {
      const message = `must be unique; lines[${first}] has ${number} already`
      faults.push({ field: `lines[${index}].lineNumber`, message })
    }
  })
  return faults
}

function reasonsWithoutExemption(lines: readonly unknown[]): FieldFault[] {
  return lines.flatMap((line, index) => {
    const reason = fieldOf(line, 'vatExemptionReason')
    if (typeof reason !== 'string' || reason.trim() === '' || fieldOf(line, 'vatRate') === 0) {
      return []
    }
    const field = `lines[${index}].vatExemptionReason`
    return [{ field, message: 'goes only with vatRate 0' }]
  })
}

function fieldOf(line: unknown, name: string): unknown {
  return typeof line === 'object' && line !== null ? (line as JsonObject)[name] : undefined
}
