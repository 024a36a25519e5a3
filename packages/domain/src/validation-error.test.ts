import { createValidationError } from './validation-error'
import { limits } from './limits'

const errors = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ field: `f${index}`, message: 'x' }))

test.each([
  [1, 'Invalid request: check f0 (details in errors).'],
  [limits.fieldErrorsReported, 'Invalid request: check 1000 fields (details in errors).'],
  [1_001, 'Invalid request: check 1001 fields (the first 1000 in errors).'],
])('the message of %i field errors says how many are listed', (count, message) => {
  const error = createValidationError(errors(count))
  expect(error.message).toBe(message)
  expect(error.fieldErrors).toHaveLength(Math.min(count, limits.fieldErrorsReported))
})
