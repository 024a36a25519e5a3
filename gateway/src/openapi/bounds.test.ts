/** What the document says of a request is what validation does, on both sides of every bound. */

import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { z } from 'zod'
import { limits } from '@einvoicing/domain/limits'
import { dashboardGroups } from '../dashboard/routes'
import { toJsonSchema, type JsonSchema } from '../fields/json-schema'
import { newInvoice } from '../invoices/invoice-schema'
import { readNewInvoice } from '../invoices/read-body'
import { listRules } from '../invoices/read-query'
import type { ApiRoute } from '../routes/api-route'
import { simpleInvoice } from '../testdata/open-gateway'
import { v1Groups } from '../v1-groups'

const ajv = addFormats(new Ajv({ strict: false }))

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

// Without surrogates: in UTF-8 none is alone.
const character = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xffff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
  )
  .map((code) => String.fromCodePoint(code))

// No schema can state the rules of the others; see the last test.
const isStated = (text: string) =>
  text.normalize('NFC').length <= text.length &&
  !/(?=\p{Default_Ignorable_Code_Point})[^\0-\uffff]/u.test(text)

/** Many are about as long as a bound of the schema. */
function drawTexts(schema: JsonSchema): fc.Arbitrary<string> {
  const bounds = JSON.stringify(schema).matchAll(/"(?:min|max)Length":(\d+)/g)
  const lengths = [...bounds].map(([, bound]) =>
    fc.integer({ min: Number(bound) - 1, max: Number(bound) + 1 }),
  )
  return fc
    .tuple(
      fc.array(character, { minLength: 1, maxLength: 12 }),
      fc.option(fc.oneof(fc.nat(20), ...lengths)),
    )
    .map(([characters, length]) =>
      Array.from(
        { length: length ?? characters.length },
        (_, at) => characters[at % characters.length],
      ).join(''),
    )
    .filter(isStated)
}

function everyValue(schema: JsonSchema, check: (value: unknown) => void): void {
  edges.forEach(check)
  const random = fc.oneof({ weight: 4, arbitrary: drawTexts(schema) }, fc.integer())
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
  const document = toJsonSchema(schema)
  const reported = ajv.compile(document)
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
    const stated = document.properties?.[field] ?? {}
    everyValue(stated, (value) => agree({ ...good, [field]: value }))
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

const invoiceDocument = toJsonSchema(newInvoice)
const reportedInvoice = ajv.compile(invoiceDocument)
const statedLine = invoiceDocument.properties?.['lines']?.items?.properties ?? {}

it.each([0, 7, 20])('newInvoice.lines[0].vatExemptionReason with vatRate %i', (vatRate) => {
  everyValue(statedLine['vatExemptionReason'] ?? {}, (vatExemptionReason) => {
    const line = { ...goodLine, vatRate, vatExemptionReason }
    const sent: unknown = JSON.parse(JSON.stringify({ ...simpleInvoice, lines: [line] }))
    expect([line, reportedInvoice(sent)]).toEqual([line, isRead(sent)])
  })
})

it.each([...lineNames, 'vatExemptionReason', 'amountHt'])('newInvoice.lines[0].%s', (field) => {
  // Which rates an invoice has depends on its type.
  const isGood =
    field === 'vatRate' ? (sent: unknown) => newInvoice.safeParse(sent).success : isRead
  everyValue(statedLine[field] ?? {}, (value) => {
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
  everyValue(rule.schema, (value) => {
    // A number is reported as a number, by its digits; any other value as text.
    if (isNumber ? typeof value !== 'number' : typeof value !== 'string') return
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect([value, reported(value)]).toEqual([value, rule(text) === undefined])
  })
})

const numberStated = String(invoiceDocument.properties?.['invoiceNumber']?.description)

// No pattern names ranges above U+FFFF in every dialect, and JSON Schema does not know NFC.
it.each([
  ['of an invisible character above U+FFFF', { invoiceNumber: 'F\u{e0e30}1' }, 'no invisible'],
  ['longer in NFC', { invoiceNumber: '\ufb36'.repeat(33) }, 'at most 64 characters in that form'],
])('an invoice number %s is rejected in words only', (_, field, inWords) => {
  const sent = { ...simpleInvoice, ...field }
  expect([reportedInvoice(sent), isRead(sent)]).toEqual([true, false])
  expect(numberStated).toContain(inWords)
})
