import * as grpc from '@grpc/grpc-js'
import { ApiError } from '@einvoicing/domain/api-error'
import { isUnimplemented, statusToError } from './status'

const { status } = grpc

const received = (code: grpc.status, details: string) =>
  statusToError(
    Object.assign(new Error(`${code}: ${details}`), {
      code,
      details,
      metadata: new grpc.Metadata(),
    }),
    '/einvoicing.Invoices/CreateInvoice',
  )

test.each([
  [status.UNAVAILABLE, 'No connection established'],
  [status.UNAVAILABLE, 'Connection dropped'],
  [status.UNAVAILABLE, 'read ECONNRESET'],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded after 10.0s'],
  [status.CANCELLED, 'Call cancelled'],
  [status.INTERNAL, 'Received RST_STREAM with code 2 (Internal server error)'],
  [
    status.INTERNAL,
    'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE',
  ],
  [
    status.INTERNAL,
    'Received RST_STREAM with code 2 triggered by internal client error: Cannot call write after a stream was destroyed',
  ],
  [status.INTERNAL, 'Received RST_STREAM with code 5'],
  [status.INTERNAL, 'Failed to start HTTP/2 stream with error The session has been destroyed'],
  [status.UNKNOWN, 'No status information received'],
])('%i %s is a broken connection: what the call did is not known', (code, details) => {
  const error = received(code, details)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
  expect(error.message).toMatch(/may or may not/)
  expect(error.message).not.toMatch(/nothing was stored/)
})

test.each([
  [status.INTERNAL, 'internal error'],
  [status.UNKNOWN, 'x'],
  [status.UNIMPLEMENTED, 'The server does not implement the method'],
  [status.UNAUTHENTICATED, 'x'],
])('%i %s is a defect', (code, details) => {
  expect(received(code, details)).not.toBeInstanceOf(ApiError)
})

test.each([
  [status.UNIMPLEMENTED, true],
  [status.INTERNAL, false],
])('%i: whether an older server lacks the method is %s', (code, expected) => {
  expect(isUnimplemented(received(code, 'x'))).toBe(expected)
})
