/** What is wrong with a body, field by field, in words someone can act on. */

import { limits } from '@einvoicing/domain/limits'
import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import type { z } from 'zod'
import { unknownFieldMessage } from './unknown-field'

/** `VALIDATION_ERROR` with as many of the faults as an answer should hold. */
export function invalid(faults: readonly FieldError[]): ApiError {
  const what = faults.length === 1 ? `${faults[0]?.field} is` : `${faults.length} fields are`
  return new ApiError(
    'VALIDATION_ERROR',
    `The request is not valid: ${what} at fault, see errors.`,
    {
      fieldErrors: faults.slice(0, limits.fieldFaultsReported),
    },
  )
}

/** Which names the object at a path has room for. */
export type KnownFields = (path: readonly PropertyKey[]) => readonly string[]

export function faultsOf(error: z.ZodError, knownFields: KnownFields): FieldError[] {
  const faults: FieldError[] = []
  for (const issue of error.issues) {
    if (issue.code !== 'unrecognized_keys') {
      faults.push({ field: fieldAt(issue.path), message: issue.message })
      continue
    }
    // No use in describing what will not be reported: a hostile body can hold a hundred thousand
    // names.
    const room = Math.max(0, limits.fieldFaultsReported - faults.length)
    for (const name of issue.keys.slice(0, room)) {
      faults.push({
        field: fieldAt([...issue.path, name.slice(0, fieldNameLengthMax)]),
        message: unknownFieldMessage(name, knownFields(issue.path)),
      })
    }
  }
  return faults
}

const fieldNameLengthMax = 100

/**
 * As one would write it in code: `lines[2].vatRate`, `lines[2][""]`; never empty, so what has no
 * name of its own is `body`.
 */
export function fieldAt(path: readonly PropertyKey[]): string {
  const field = path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (key === '') return '[""]'
      return index === 0 ? String(key) : `.${String(key)}`
    })
    .join('')
  return field === '' || field.startsWith('[') ? `body${field}` : field
}
