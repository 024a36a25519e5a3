import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import type { z } from 'zod'
import { explainUnknownField } from './unknown-field'

export type KnownFields = (path: readonly PropertyKey[]) => readonly string[]

export function findFieldErrors(error: z.ZodError, knownFields: KnownFields): FieldError[] {
  const fieldErrors: FieldError[] = []
  for (const issue of error.issues) {
    // A hostile body can hold a hundred thousand errors: stop at what will be reported.
    const left = limits.fieldErrorsReported - fieldErrors.length
    if (left <= 0) break
    if (issue.code !== 'unrecognized_keys') {
      fieldErrors.push({ field: toFieldPath(issue.path), message: issue.message })
      continue
    }
    for (const name of issue.keys.slice(0, left)) {
      fieldErrors.push({
        field: toFieldPath([...issue.path, name.slice(0, fieldNameLengthMax)]),
        message: explainUnknownField(name, knownFields(issue.path)),
      })
    }
  }
  return fieldErrors
}

const fieldNameLengthMax = 100

/** As in code: `lines[2].vatRate`, `lines[2][""]`. The body itself is `body`. */
function toFieldPath(path: readonly PropertyKey[]): string {
  const field = path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (key === '') return '[""]'
      return index === 0 ? String(key) : `.${String(key)}`
    })
    .join('')
  return field === '' || field.startsWith('[') ? `body${field}` : field
}
