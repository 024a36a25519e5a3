/** The answer to an attempt too many. */

import { ApiError } from '@einvoicing/domain/api-error'

export function tooManyAttempts(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError(
    'TOO_MANY_ATTEMPTS',
    `There were too many attempts. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: seconds },
  )
}
