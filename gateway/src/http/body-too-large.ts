/** The answer to a body past its limit, before and after decoding. */

import { Refusal } from '@einvoicing/domain/api-error'

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes} bytes (after decoding): send a smaller one.`,
  )
}
