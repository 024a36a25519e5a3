/** What the document says of a request is what validation does, on both sides of every bound. */

import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { z } from 'zod'
import { limits } from '@einvoicing/domain/limits'
import { isXmlText } from '@einvoicing/domain/xml-text'
import { dashboardGroups } from '../dashboard/routes'
import { toJsonSchema } from '../fields/json-schema'
import { newInvoice } from '../invoices/invoice-schema'
import { readNewInvoice } from '../invoices/read-body'
import { listRules } from '../invoices/read-query'
import type { ApiRoute } from '../routes/api-route'
import { simpleInvoice } from '../testdata/open-gateway'
import { v1Groups } from '../v1-groups'

const ajv = addFormats(new Ajv({ strict: false }))

// Without surrogates: in UTF-8 none is alone, and of a pair see `words`.
const plain = (value: unknown) => !/[\ud800-\udfff]/.test(JSON.stringify(value))

const dates = [
  '2028-02-29',
  '2026-02-29',
  '0000-01-01',
  '0001-01-01',
  '1999-12-31',
  '2000-01-01',
  '2026-1-1',
  '2026-01-31T',
  '2027-02-28T10:00:00Z',
  '2027-02-30T10:00:00Z',
]
const texts = [1, 10, 15, 24, 32, 64, 100, 254, 256, 512].flatMap((length) => [
  'x'.repeat(length - 1),
  'x'.repeat(length),
  'x'.repeat(length + 1),
  '0'.repeat(length),
])
const words = [
  '😀'.repeat(64),
  '😀'.repeat(65),
  ...[9, 10, 256, 257].map((length) => '😀'.repeat(length)),
  '',
  ' ',
  '\u00a0\ufeff',
  'a\u0001',
  '\u0085',
  '\ufffe',
  'MAD',
  'mad',
  'XXX',
  'CASH',
]
const others = [
  'a@b.c',
  ' a@b.c ',
  'a@b',
  'a b@c.d',
  'a@-b.c',
  'é@b.c',
  'A/1-2.3 é',
  'A;1',
  'SIGNED',
  'MEMBER',
  'createdAt,desc',
  'id,asc',
]
const numbers = [0, -0, 1, -1, 0.2, 7, 20, 1.5, 1e-10, 999_999_999_999, 1e12, -1e-10]
const integers = [2_147_483_647, 2_147_483_648, 100, 101, 10_000_000, 10_000_001]

/** Both sides of every bound there is, and what is of another kind altogether. */
const edges: unknown[] = [
  ...[...dates, ...texts, ...words, ...others, ...numbers, ...integers],
  ...[null, true, false, [], {}, undefined],
]
const random = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => plain(text) && isXmlText(text)),
  fc.integer(),
)

function everyValue(check: (value: unknown) => void): void {
  edges.forEach(check)
  fc.assert(fc.property(random, check))
}

const lineNames = ['lineNumber', 'description', 'quantity', 'unitPrice', 'vatRate', 'unit'] as const
const [goodLine] = simpleInvoice.lines

const routes = [...v1Groups, ...dashboardGroups].flatMap(({ table }) =>
  Object.values(table).flatMap((methods): ApiRoute<never>[] => Object.values(methods)),
)

const bodies = new Map(
  routes.flatMap(({ body }) => {
    if (!body) return []
    const [good] = Object.values(body.examples) as object[]
    return [[body.name, { ...body, schema: body.schema as z.ZodObject, good }] as const]
  }),
)

// Of their fields one is sent: checked after these are read.
const exactlyOne = ['SecondFactor', 'Confirmation']

describe.each([...bodies.values()])('$name', ({ name, schema, good }) => {
  const reported = ajv.compile(toJsonSchema(schema))
  const agree = (body: object) => {
    // As it comes over the wire: what is undefined is not there.
    const sent = JSON.parse(JSON.stringify(body)) as object
    const isCounted = !exactlyOne.includes(name) || Object.keys(sent).length === 1
    expect([sent, reported(sent)]).toEqual([sent, isCounted && schema.safeParse(sent).success])
  }

  it('passes good input', () => {
    expect([reported(good), schema.safeParse(good).success]).toEqual([true, true])
  })

  it.each([...Object.keys(schema.shape), 'stranger'])('.%s', (field) => {
    everyValue((value) => agree({ ...good, [field]: value }))
  })
})

function isRead(body: unknown): boolean {
  try {
    readNewInvoice(JSON.stringify(body))
    return true
  } catch {
    return false
  }
}

const reportedInvoice = ajv.compile(toJsonSchema(newInvoice))

it.each([0, 7, 20])('newInvoice.lines[0].vatExemptionReason with vatRate %i', (vatRate) => {
  everyValue((vatExemptionReason) => {
    const line = { ...goodLine, vatRate, vatExemptionReason }
    const sent: unknown = JSON.parse(JSON.stringify({ ...simpleInvoice, lines: [line] }))
    expect([line, reportedInvoice(sent)]).toEqual([line, isRead(sent)])
  })
})

it.each([...lineNames, 'vatExemptionReason', 'amountHt'])('newInvoice.lines[0].%s', (field) => {
  // Which rates an invoice has depends on its type.
  const isGood =
    field === 'vatRate' ? (sent: unknown) => newInvoice.safeParse(sent).success : isRead
  everyValue((value) => {
    const line = { ...goodLine, [field]: value }
    const sent: unknown = JSON.parse(JSON.stringify({ ...simpleInvoice, lines: [line] }))
    expect([line, reportedInvoice(sent)]).toEqual([line, isGood(sent)])
  })
})

it.each([0, 1, limits.lineCount, limits.lineCount + 1])('%i lines', (count) => {
  const lines = Array.from({ length: count }, (_, at) => ({ ...goodLine, lineNumber: at + 1 }))
  const body = { ...simpleInvoice, lines }
  const read = () => readNewInvoice(JSON.stringify(body))
  const reported = reportedInvoice(body)
  expect(reported).toBe(count >= 1 && count <= limits.lineCount)
  if (reported) expect(read().content.lines).toHaveLength(count)
  else expect(read).toThrow('check lines (details')
})

it.each(Object.entries(listRules))('?%s', (_, rule) => {
  const reported = ajv.compile(rule.schema)
  const isNumber = rule.schema.type === 'integer'
  everyValue((value) => {
    // A number is reported as a number, by its digits; any other value as text.
    if (isNumber ? typeof value !== 'number' : typeof value !== 'string') return
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect([value, reported(value)]).toEqual([value, rule(text) === undefined])
  })
})
