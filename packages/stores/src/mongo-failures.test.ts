import mongoose from 'mongoose'
import { connectionFailures } from '@einvoicing/runtime/connection-failures'
import { transientErrorCodes, readFailure, writeFailure } from './mongo-failures'

const { mongo } = mongoose
const failed = (code: unknown) => Object.assign(new Error('x'), { code })
const named = (name: string) => Object.assign(new Error('x'), { name })

const passing: [string, Error][] = [
  ...Object.keys(connectionFailures).map((code): [string, Error] => [code, failed(code)]),
  ...[...transientErrorCodes].map((code): [string, Error] => [
    `server error ${code}`,
    new mongo.MongoServerError({ message: 'x', code }),
  ]),
  ...['WaitQueueTimeout', 'PoolClosed', 'PoolCleared', 'ServerClosed'].map(
    (name): [string, Error] => [name, named(`Mongo${name}Error`)],
  ),
  ['a network error', new mongo.MongoNetworkError('x')],
  ['a wrapped EPIPE', new mongo.MongoRuntimeError('x', { cause: failed('EPIPE') })],
  ['a transaction to begin again', transient('TransientTransactionError')],
  ['a commit cut with its socket', new TypeError('commitError.hasErrorLabel is not a function')],
  ['a commit without an answer', transient('UnknownTransactionCommitResult')],
]

function transient(label: string): Error {
  const error = new mongo.MongoServerError({ message: 'x', code: 1 })
  error.addErrorLabel(label)
  return error
}

describe.each(passing)('%s', (_, error) => {
  test('a read: nothing was stored', () => {
    const failure = readFailure('The store', error)
    expect(failure).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching('nothing was stored') as string,
    })
  })

  test('a write: the outcome is unknown', () => {
    const failure = writeFailure('The store', error)
    expect(failure).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching('may or may not') as string,
    })
    expect((failure as Error).message).not.toMatch(/nothing was stored/)
  })
})

test('a read that the server ended for its time says so, and what to do', () => {
  const error = new mongo.MongoServerError({ message: 'operation exceeded time limit', code: 50 })
  expect(readFailure('The store', error)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/needs longer.*again in 5 seconds, or ask for less/) as string,
    retryAfterSeconds: 5,
    cause: error,
  })
})

test.each([
  new mongo.MongoServerError({ message: 'x', code: 2 }),
  new mongo.MongoServerError({ message: 'x', code: 11_000 }),
  new TypeError('x'),
  failed('ERR_INVALID_ARG_TYPE'),
])('%s is not temporary', (error) => {
  expect(readFailure('The store', error)).toBe(error)
  expect(writeFailure('The store', error)).toBe(error)
})
