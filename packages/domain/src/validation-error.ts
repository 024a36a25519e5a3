import { ApiError, type FieldError } from './api-error'
import { limits } from './limits'

export function createValidationError(fieldErrors: readonly FieldError[]): ApiError {
  const [first, ...others] = fieldErrors
  const fields = first && others.length === 0 ? first.field : `${fieldErrors.length} fields`
  return new ApiError('VALIDATION_ERROR', `Invalid request: check ${fields} (details in errors).`, {
    fieldErrors: fieldErrors.slice(0, limits.fieldErrorsReported),
  })
}
