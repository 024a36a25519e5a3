/** What is read of a body of two megabytes, counted: time says too little on a busy machine. */

import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { z } from 'zod'
import { newApiKey } from '../dashboard/api-keys'
import { attestation } from '../dashboard/passkey-answers'
import { findFieldErrors } from '../fields/field-errors'
import { toJsonSchema, type JsonSchema } from '../fields/json-schema'
import { simpleInvoice } from '../testdata/open-gateway'
import { readCreditNote } from './credit-note'
import { newInvoice } from './invoice-schema'
import { readInvoiceChanges, readNewInvoice } from './read-body'

const [simpleLine] = simpleInvoice.lines
const million = 1_000_000
const many = (count: number, item: unknown) => new Array<unknown>(count).fill(item)

afterEach(() => jest.restoreAllMocks())

/** As if it had been sent, with its getters. */
function findErrors(read: (json: string) => unknown, body: object): readonly FieldError[] {
  jest.spyOn(JSON, 'parse').mockReturnValueOnce(body)
  try {
    read('{}')
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.fieldErrors ?? []
    throw thrown
  }
  return []
}

/** Counts the reads of its elements. */
function watch(items: unknown[]) {
  const watched = { reads: 0, items }
  watched.items = new Proxy(items, {
    get(target, name, receiver): unknown {
      if (typeof name === 'string' && /^\d+$/.test(name)) watched.reads += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return watched
}

const { allowanceCount, lineAllowanceCount, lineCount, precedingInvoiceCount } = limits

const lists: [string, number, string, (items: unknown[]) => object][] = [
  ['allowances', allowanceCount, 'items', (allowances) => ({ allowances })],
  ['charges', allowanceCount, 'items', (charges) => ({ charges })],
  ['precedingInvoices', precedingInvoiceCount, 'items', (list) => ({ precedingInvoices: list })],
  ['lines', lineCount, 'lines', (lines) => ({ lines })],
  [
    'lines[0].allowances',
    lineAllowanceCount,
    'items',
    (allowances) => ({ lines: [{ ...simpleLine, allowances }] }),
  ],
  [
    'lines[0].charges',
    lineAllowanceCount,
    'items',
    (charges) => ({ lines: [{ ...simpleLine, charges }] }),
  ],
]

it.each(lists)('of a million %s only the first %i are read', (field, countMax, noun, toFields) => {
  for (const read of [readNewInvoice, readInvoiceChanges]) {
    for (const item of [1, {}]) {
      const watched = watch(many(million, item))
      const errors = findErrors(read, { ...simpleInvoice, ...toFields(watched.items) })
      expect(watched.reads).toBe(countMax)
      expect(errors[0]).toEqual({
        field,
        message: `must have at most ${countMax} ${noun}; got ${million}`,
      })
      expect(errors.length).toBeGreaterThan(countMax < lineCount ? countMax : 999)
      expect(errors.length).toBeLessThanOrEqual(limits.fieldErrorsReported)
    }
  }
})

it('has no other list', () => {
  type Schema = JsonSchema & { anyOf?: JsonSchema[]; properties?: Record<string, Schema> }
  const find = (schema: Schema, prefix: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
      const alternatives = [value, ...(value.anyOf ?? [])]
      const list = alternatives.find(({ type }) => type === 'array')
      const nested = alternatives.flatMap((each) => find(each, `${prefix}${name}.`))
      return [
        ...nested,
        ...(list ? [`${prefix}${name}`, ...find(list.items ?? {}, `${prefix}${name}[0].`)] : []),
      ]
    })
  const names = lists.map(([name]) => name).sort()
  expect(find(toJsonSchema(newInvoice), '').sort()).toEqual(names)
})

it('reads no line after as many errors as are reported', () => {
  let reads = 0
  const line = {
    get description() {
      reads += 1
      return 1
    },
    charges: many(lineAllowanceCount, { amount: '', percent: '', reasonCode: 1, x: 1 }),
    allowances: many(lineAllowanceCount, 1),
  }
  const lines = many(lineCount, line)
  for (const read of [readNewInvoice, (json: string) => readCreditNote(json, new Date())]) {
    const errors = findErrors(read, { ...simpleInvoice, lines })
    expect(errors).toHaveLength(limits.fieldErrorsReported)
  }
  expect(reads).toBeLessThan(limits.fieldErrorsReported)
})

it('reports no more errors than an answer has', () => {
  const { error } = z.array(z.string()).safeParse(many(5_000, 1))
  if (!error) throw new Error('numbers were read as text')
  expect(findFieldErrors(error, () => [])).toHaveLength(limits.fieldErrorsReported)
})

it('reads no element of a list of the dashboard that is too long', () => {
  const watched = [watch(many(3, 1)), watch(many(21, 1)), watch(many(17, 1))]
  const [scopes, allowedNetworks, transports] = watched.map(({ items }) => items)
  const key = newApiKey.safeParse({ name: 'a', scopes, allowedNetworks })
  expect(key.error?.issues.map(({ message }) => message)).toEqual([
    'must have at most 2 items; got 3',
    'must have at most 20 items; got 21',
  ])
  const id = { id: 'a', rawId: 'a', type: 'public-key' }
  const response = { clientDataJSON: 'a', attestationObject: 'a', transports }
  expect(attestation.safeParse({ ...id, response }).error?.issues).toMatchObject([
    { path: ['response', 'transports'], message: 'must have at most 16 items; got 17' },
  ])
  expect(watched.map(({ reads }) => reads)).toEqual([0, 0, 0])
})
