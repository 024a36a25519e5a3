import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import * as grpc from '@grpc/grpc-js'
import { ApiError } from '@einvoicing/domain/api-error'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { readError, writeError } from './error-metadata'

const wrongLines = (
  count: number,
  message = (index: number) => `must be positive; got -${index}`,
) =>
  createValidationError(
    Array.from({ length: count }, (_, index) => ({
      field: `lines[${index}].quantity`,
      message: message(index),
    })),
  )

const carry = (error: ApiError) => {
  const metadata = new grpc.Metadata()
  writeError(metadata, error)
  return metadata
}

const wireBytes = (metadata: grpc.Metadata) =>
  Object.values(metadata.toHttp2Headers()).join('').length

test.each([1, 50, 200, 500])('%i field errors arrive whole', (count) => {
  const error = wrongLines(count)
  const metadata = carry(error)
  const { message, fieldErrors } = error
  expect(readError(metadata)).toMatchObject({ code: 'VALIDATION_ERROR', message, fieldErrors })
  expect(wireBytes(metadata)).toBeLessThan(8 * 1024)
})

test('a long message arrives whole', () => {
  const message = 'é'.repeat(2_000)
  expect(readError(carry(new ApiError('NOT_FOUND', message)))?.message).toBe(message)
})

test('what does not fit is left out, and the message says so', () => {
  const metadata = carry(wrongLines(1_000, () => randomBytes(60).toString('hex')))
  const { message, fieldErrors } = readError(metadata)!
  expect(fieldErrors!.length).toBeGreaterThan(30)
  expect(message).toBe(
    `Invalid request: check 1000 fields (details in errors). errors has the first ${fieldErrors!.length} of 1000.`,
  )
  expect(wireBytes(metadata)).toBeLessThan(8 * 1024)
})

test('a process of the version before reads the first field errors', () => {
  const metadata = carry(wrongLines(200))
  metadata.remove('error-deflate-bin')
  const { message, fieldErrors } = readError(metadata)!
  expect(fieldErrors!.length).toBeGreaterThan(10)
  expect(message).toContain(`errors has the first ${fieldErrors!.length} of 200.`)
})

test.each([
  ['no deflated bytes', Buffer.from('no')],
  ['more than is read', deflateSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
])('of %s, the plain error is read', (_, bytes) => {
  const metadata = carry(wrongLines(1))
  metadata.set('error-deflate-bin', bytes)
  expect(readError(metadata)?.message).toContain('check lines[0].quantity')
})

test('without an error there is none', () => {
  expect(readError(new grpc.Metadata())).toBeUndefined()
})
