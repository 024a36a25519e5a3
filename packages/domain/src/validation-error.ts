import { ApiError, type FieldError } from './api-error'
import { limits } from './limits'

export function createValidationError(fieldErrors: readonly FieldError[]): ApiError {
  const [first, ...others] = fieldErrors
  const fields = first && others.length === 0 ? first.field : `${fieldErrors.length} fields`
  const reported = fieldErrors.slice(0, limits.fieldErrorsReported)
  const listed = reported.length < fieldErrors.length ? `the first ${reported.length}` : 'details'
  return new ApiError(
    'VALIDATION_ERROR',
    `Invalid request: check ${fields} (${listed} in errors).`,
    {
      fieldErrors: reported,
    },
  )
}
