import { ApiError, isErrorCode, errorCodes, unavailable } from './api-error'

test('accepts known codes only', () => {
  for (const code of errorCodes) expect(isErrorCode(code)).toBe(true)
  for (const other of ['', 'OK', 'toString', 'validation_error', 'VALIDATION_ERROR '])
    expect(isErrorCode(other)).toBe(false)
  expect(new Set(errorCodes).size).toBe(errorCodes.length)
})

test('an unavailable dependency asks to retry, and has its cause for the log', () => {
  const cause = new Error('connect ECONNREFUSED')
  const apiError = unavailable('The signer', cause)
  expect(apiError).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, cause })
  expect(apiError.message).toContain('The signer is not available')
  expect(apiError.message).toContain('5 seconds')
  expect(apiError.message).not.toContain('ECONNREFUSED')
})

test('an error without a cause has none, not an undefined one', () => {
  expect('cause' in new ApiError('NOT_FOUND', 'No such path.')).toBe(false)
})
