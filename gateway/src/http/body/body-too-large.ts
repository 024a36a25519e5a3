import { ApiError } from '@einvoicing/domain/api-error'

export function createBodyTooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes} bytes (after decoding): send a smaller one.`,
  )
}
