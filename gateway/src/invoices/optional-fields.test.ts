import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { simpleInvoice } from '../testdata/open-gateway'
import { readNewInvoice } from './read-body'

const [simpleLine] = simpleInvoice.lines

function creating(changes: object): readonly FieldError[] {
  try {
    readNewInvoice(JSON.stringify({ ...simpleInvoice, ...changes }))
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.fieldErrors ?? []
    throw thrown
  }
  return []
}

const messageOn = (errors: readonly FieldError[], field: string) =>
  errors.filter((error) => error.field === field).map(({ message }) => message)
const withLine = (changes: object) => creating({ lines: [{ ...simpleLine, ...changes }] })

// Optional texts of any form, with the most characters they may have.
const textLengths = {
  buyerCity: 128,
  note: 1_024,
  buyerReference: 128,
  contractNumber: 64,
  deliveryNoteNumber: 64,
  deliveryAddress: 512,
  paymentTerms: 512,
  paymentReference: 140,
}

it.each(Object.entries(textLengths))('has %s of at most %d characters', (name, lengthMax) => {
  expect(creating({ [name]: 'x'.repeat(lengthMax) })).toEqual([])
  expect(messageOn(creating({ [name]: 'x'.repeat(lengthMax + 1) }), name)).toEqual([
    `must be at most ${lengthMax} characters; got ${lengthMax + 1}`,
  ])
})

it.each([
  ['itemCode', 64],
  ['orderLineNumber', 64],
  ['note', 512],
])('has lines with %s of at most %d characters', (name, lengthMax) => {
  expect(withLine({ [name]: 'x'.repeat(lengthMax) })).toEqual([])
  expect(messageOn(withLine({ [name]: 'x'.repeat(lengthMax + 1) }), `lines[0].${name}`)).toEqual([
    `must be at most ${lengthMax} characters; got ${lengthMax + 1}`,
  ])
})

it('names every wrong field of a structure', () => {
  const errors = creating({
    buyerType: 'BUSINESS',
    deliveryCountry: 'XX',
    servicePeriod: { from: '2026-02-30', until: '2026-01-01' },
    paymentAccount: { iban: 'MA65011519000001205000534921', bic: 'x' },
    lines: [{ ...simpleLine, servicePeriod: {} }],
  })
  expect(errors.map(({ field }) => field).sort()).toEqual([
    'buyerIce',
    'buyerName',
    'deliveryCountry',
    'lines[0].servicePeriod',
    'paymentAccount.bic',
    'paymentAccount.iban',
    'servicePeriod.from',
    'servicePeriod.until',
  ])
  expect(messageOn(errors, 'servicePeriod.until')).toEqual(['is not a known field'])
})

it('shows how a country is written', () => {
  expect(creating({ buyerCountry: 'MA' })).toEqual([])
  expect(messageOn(creating({ buyerCountry: 'ma' }), 'buyerCountry')).toEqual([
    'must be a country code of two capital letters (ISO 3166-1), for example MA; got "ma"',
  ])
})
