import {
  noAnswer,
  unavailable as unavailableError,
  type ApiError,
} from '@einvoicing/domain/api-error'
import { EinvoicingError, type ErrorCode } from './errors'
import { settle } from './settled'

const toError = ({ code, message }: ApiError) =>
  new EinvoicingError(code as ErrorCode, message, { status: 503, retryAfterSeconds: 0 })
const failure = (code: ErrorCode, status: number, field?: string) =>
  new EinvoicingError(code, `${code}.`, {
    status,
    errors: field === undefined ? [] : [{ field, message: 'is wrong' }],
    retryAfterSeconds: 0,
  })
const badGateway = failure('NOT_THE_SERVICE', 502)
const unavailable = failure('SERVICE_UNAVAILABLE', 503)
const nothingStored = toError(unavailableError('The signer'))

/** What it throws when these are the answers, and no look finds a result. */
async function settled(answers: EinvoicingError[], look = async () => undefined) {
  const planned = [...answers]
  const change = {
    send: () => Promise.reject(planned.shift()!),
    find: look,
    alreadyDone: 'INVOICE_NUMBER_EXISTS' as const,
    question: 'whether the invoice was created',
    advice: 'Look first.',
  }
  const patience = { attempts: answers.length, giveUpAt: Infinity }
  return settle<undefined>(change, patience).catch((error: unknown) => error as EinvoicingError)
}

it.each<[string, EinvoicingError[]]>([
  ['503', [toError(noAnswer('The service', undefined)), unavailable]],
  ['a lost answer and a 503 that stored nothing', [badGateway, nothingStored]],
  ['500', [failure('INTERNAL_ERROR', 500)]],
  ['a page of a proxy', [badGateway]],
  ['a key that was revoked after it', [badGateway, failure('API_KEY_INVALID', 401)]],
  ['a proxy that denies the second attempt', [badGateway, failure('NOT_THE_SERVICE', 413)]],
])('the outcome is unknown after %s, also when nothing is found', async (_, answers) => {
  const last = answers.at(-1)!
  expect(await settled(answers)).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: `It is not known whether the invoice was created. Last error: ${last.message} Look first.`,
    status: last.status,
    isTemporary: false,
    retryAfterSeconds: 0,
    cause: last,
  })
})

it('a 503 that stored nothing is thrown as it is', async () => {
  expect(await settled([nothingStored, nothingStored])).toBe(nothingStored)
})

it.each<[ErrorCode, number]>([
  ['VALIDATION_ERROR', 400],
  ['INVOICE_NOT_FOUND', 404],
  ['CREDIT_EXCEEDS_INVOICE', 409],
  ['PAYLOAD_TOO_LARGE', 413],
])('%s of the second attempt is thrown: it denies the first too', async (code, status) => {
  const denial = failure(code, status, 'lines')
  expect(await settled([badGateway, denial])).toBe(denial)
})

it('a denial is unknown while no look succeeds, with its field errors', async () => {
  const denial = failure('CREDIT_EXCEEDS_INVOICE', 409, 'lines')
  let looks = 0
  const look = async () => {
    looks += 1
    if (looks > 1) throw unavailable
    return undefined
  }
  const error = await settled([badGateway, denial], look)
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', errors: denial.errors, cause: denial })
})

it('a look that is denied is thrown: the content cannot be stored', async () => {
  const denial = failure('VALIDATION_ERROR', 400, 'invoiceNumber')
  const error = await settled([badGateway], () => Promise.reject(denial))
  expect(error).toBe(denial)
})
