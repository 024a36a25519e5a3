import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { errorCodes } from '@einvoicing/domain/api-error'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { toAnswerSchema, type JsonSchema } from '../fields/json-schema'
import { readInvoiceChanges, readNewInvoice } from '../invoices/read-body'
import type { Gateway } from '../service'
import { openForTest, simpleInvoice } from '../testdata/open-gateway'
import { apiKey, organizationId, smallOrganizations } from '../testdata/small-services'
import { dashboardGroups } from '../dashboard/routes'
import { magicBuyers } from '../invoices/sandbox-examples'
import { verificationExamples } from '../verification/examples'
import { v1Groups } from '../v1-groups'
import { collectSchemas, openApiDocument } from './document'
import type { OperationObject } from './operation'
import { errorExamples } from './errors'

const document = openApiDocument('test')
const ajv = addFormats(new Ajv({ strict: false }))
ajv.addSchema({ ...document, $id: 'openapi' })

/** Validates by a schema of the document, wherever its references lead. */
const compileValidator = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object)

const operations = Object.entries(document.paths).flatMap(([pattern, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ pattern, method, operation })),
)

it('is OpenAPI 3.1', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'openapi-'))
  const file = path.join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  // The validator is an ES module, which tests cannot load: its command is as good.
  const validator = require.resolve('@seriousme/openapi-schema-validator/package.json')
  const command = path.join(path.dirname(validator), 'bin', 'validate-api-cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [command, file])
  expect(JSON.parse(stdout)).toMatchObject({ valid: true })
})

it('counts allowances and charges in the amount of a line', () => {
  const rules = JSON.stringify(document).match(/quantity × unitPrice[^"]*/g) ?? []
  expect(rules.length).toBeGreaterThan(0)
  for (const rule of rules) expect(rule).toMatch(/minus the allowances .*plus its charges/)
})

it('resolves every reference, and has unique operation ids', () => {
  const text = JSON.stringify(document)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
    expect([pointer, typeof target]).toEqual([pointer, 'object'])
  }
  const ids = operations.map(({ operation }) => operation.operationId)
  const links = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ links = {} }) => Object.values(links)),
  )
  expect(links.length).toBeGreaterThan(5)
  for (const { operationId } of links) expect(ids).toContain(operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('has an example of every error code that clients can receive', () => {
  const inside = ['CALLER_REFUSED']
  expect(Object.keys(errorExamples).sort()).toEqual(
    errorCodes.filter((code) => !inside.includes(code)).sort(),
  )
})

it('documents where each error occurs, except those of other paths and methods', () => {
  const documented = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) =>
      Object.keys(response.content?.['application/json']?.examples ?? {}),
    ),
  )
  const undocumented = Object.keys(errorExamples).filter((code) => !documented.includes(code))
  expect(undocumented).toEqual(['NOT_FOUND', 'METHOD_NOT_ALLOWED'])
})

it('documents VALIDATION_ERROR wherever a query parameter or If-Match can be wrong', () => {
  const validated = operations.filter(({ operation: { parameters = [] } }) =>
    parameters.some(({ in: place, name }) => place === 'query' || name === 'If-Match'),
  )
  expect(validated.length).toBeGreaterThan(10)
  for (const { operation } of validated) {
    expect([operation.operationId, operation.responses[400]?.description]).toEqual([
      operation.operationId,
      expect.stringContaining('VALIDATION_ERROR'),
    ])
  }
})

it.each([
  ['sendMemberReset', 400, 'VALIDATION_ERROR'],
  ['acceptInvitation', 403, 'SECOND_FACTOR_REQUIRED'],
  ['acceptInvitation', 409, 'ORGANIZATION_SWITCHED'],
])('documents of %s: %i %s', (id, status, code) => {
  const found = operations.find(({ operation }) => operation.operationId === id)
  expect(found?.operation.responses[status]?.description).toContain(code)
})

it('documents every route of every table', () => {
  const routes = [...v1Groups, ...dashboardGroups].flatMap(({ base, table }) =>
    Object.entries(table).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method} ${base}${path === '/' ? '' : path.replace(':id', '{id}')}`,
      ),
    ),
  )
  expect(routes).toHaveLength(80)
  expect(
    operations.map(({ method, pattern }) => `${method.toUpperCase()} ${pattern}`).sort(),
  ).toEqual(routes.sort())
})

function readExampleBodies({ requestBody }: OperationObject): object[] {
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {})
  return examples.map((example) => ('value' in example ? (example.value as object) : {}))
}

const medias = operations.flatMap(({ operation }) => {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)]
  return bodies.flatMap((body) => {
    const media = body?.content?.['application/json']
    return media ? [{ id: operation.operationId, media }] : []
  })
})

it('has a summary and a description for every operation', () => {
  for (const { operation } of operations) {
    const { operationId, summary, description } = operation
    expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[A-Z].{14,}/)])
    expect([operationId, description]).toEqual([
      operationId,
      expect.stringMatching(/^[A-Z`].{9,}[.]$/),
    ])
    expect(description).not.toBe(summary)
  }
})

it('has an example for every magic buyer, with its outcome', () => {
  const create = operations.find(({ operation }) => operation.operationId === 'createInvoice')
  const examples = Object.values(
    create?.operation.requestBody?.content['application/json']?.examples ?? {},
  )
  const magic = examples.flatMap((example) =>
    'value' in example && example.summary?.startsWith('Sandbox') ? [example] : [],
  )
  expect(magic.map(({ value }) => (value as { buyerIce: string }).buyerIce)).toEqual(
    Object.keys(magicBuyers),
  )
  for (const { value, summary } of magic) {
    const { what, final } = magicBuyers[(value as { buyerIce: string }).buyerIce]!
    expect(summary).toContain(`${what}; ends ${final}`)
  }
})

it('has an example of every body and every answer, valid by its schema', () => {
  expect(medias.length).toBeGreaterThan(operations.length)
  for (const { id, media } of medias) {
    const validate = compileValidator(media.schema ?? {})
    const examples = Object.entries(media.examples ?? {})
    expect(examples.length).toBeGreaterThan(0)
    for (const [name, example] of examples) {
      validate('value' in example ? example.value : errorExamples[name]?.value)
      expect([id, name, validate.errors]).toEqual([id, name, null])
    }
  }
})

/** Every object within these; what is asked of it decides whether it is a schema. */
function findSchemas(...values: unknown[]): JsonSchema[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    return [value, ...findSchemas(...Object.values(value))]
  })
}

it('has patterns that compile in both modes of ECMA-262, without escapes of one dialect', () => {
  const patterns = new Set(
    findSchemas(document).flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])),
  )
  expect(patterns.size).toBeGreaterThan(10)
  for (const pattern of patterns) {
    expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow()
    // PCRE has no \u, and without the flag u a character above U+FFFF is two.
    expect(pattern).not.toMatch(/\\u|\p{Cs}|[\u{10000}-\u{10FFFF}]/u)
  }
})

it('allows null among the values of everything that can be null', () => {
  const listed = findSchemas(document.components.schemas).filter(
    ({ type, enum: values }) => Array.isArray(type) && type.includes('null') && values,
  )
  expect(listed.length).toBeGreaterThan(2)
  for (const { enum: values } of listed) expect(values).toContain(null)
})

it('allows the verification of a file without a signature', () => {
  const [shown] = Object.values(verificationExamples)
  const unsigned = { ...shown, level: null, held: null, invoice: { ...shown?.invoice, type: null } }
  const validate = compileValidator({ $ref: '#/components/schemas/Verification' })
  validate(unsigned)
  expect(validate.errors).toBeNull()
})

it('does not give two schemas one name', () => {
  const answer = { name: 'Rule', schema: z.object({ required: z.boolean() }), examples: {} }
  const body = { name: 'Rule', schema: z.strictObject({ required: z.boolean() }), examples: {} }
  expect(collectSchemas([{ answer }, { answer }])).toEqual({ Rule: toAnswerSchema(answer.schema) })
  expect(() => collectSchemas([{ body, answer }])).toThrow('Rule names two schemas')
})

it('has examples of invoices that the readers accept', () => {
  const sent = (id: string) =>
    operations
      .filter(({ operation }) => operation.operationId === id)
      .flatMap(({ operation }) => readExampleBodies(operation))
      .map((body) => JSON.stringify(body))
  expect(sent('createInvoice').map((json) => readNewInvoice(json).draft)).toContain(true)
  expect(sent('updateInvoice').map((json) => readInvoiceChanges(json))).toHaveLength(3)
})

describe('what the gateway answers', () => {
  let gateway: Gateway
  const session = { Cookie: '' }
  beforeAll(async () => {
    // The session outlasts the operations that end one.
    const organizations = { ...smallOrganizations(), endSession: async () => ({}) }
    gateway = await openForTest({ RATE_LIMIT_PER_MINUTE: '1000' }, { organizations })
    const account = { email: 'a@example.com', password: 'right password' }
    const { headers } = await call('POST', '/dashboard/api/session', account)
    session.Cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  })
  afterAll(() => gateway.close())

  const call = (method: string, url: string, body?: object, headers: object = {}) =>
    fetch(gateway.url + url, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-Requested-With': 'dashboard',
        ...session,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  /** Checks that the document has this answer: status, media type, headers, and every property. */
  async function expectDocumented(operation: OperationObject, response: Response): Promise<void> {
    const documented = operation.responses[response.status]
    expect([operation.operationId, response.status, typeof documented]).toContain('object')
    expect([operation.operationId, response.status]).not.toContain(500)
    const { headers = {}, content = {} } = documented!
    if (response.ok && operation.security.length > 0) {
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
      )
    }
    for (const name of Object.keys(headers)) {
      if (!/Retry-After|Location|Set-Cookie/.test(name)) {
        expect([name, response.headers.has(name)]).toEqual([name, true])
      }
    }
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    expect(Object.keys(content)).toEqual([type])
    if (type !== 'application/json') return
    const answer: unknown = await response.json()
    const validate = compileValidator(closed(content[type]?.schema) as object)
    validate(answer)
    expect([operation.operationId, answer, validate.errors]).toEqual([
      operation.operationId,
      answer,
      null,
    ])
  }

  /** With its references resolved, and no additional properties. */
  function closed(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(closed)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $ref, ...beside } = schema as JsonSchema
    const target = document.components.schemas[$ref?.split('/').at(-1) ?? '']
    const properties = { ...target?.properties, ...beside.properties }
    const merged = {
      ...target,
      ...beside,
      ...(Object.keys(properties).length > 0 && { properties }),
    }
    const walked = Object.entries(merged).map(([name, value]) => [name, closed(value)])
    const object = merged.properties && merged.type === 'object'
    return { ...Object.fromEntries(walked), ...(object && { additionalProperties: false }) }
  }

  it.each(operations)('is documented: $method $pattern', async ({ method, pattern, operation }) => {
    const made = await call('POST', '/v1/invoices', simpleInvoice)
    const invoiceId = made.headers.get('location')?.split('/').at(-1) ?? ''
    const id = /api-keys|members/.test(pattern) ? organizationId : invoiceId
    const url = pattern.replace('{id}', id)
    const [body] = readExampleBodies(operation)
    await expectDocumented(operation, await call(method.toUpperCase(), url, body))
    if (operation.security.length > 0) {
      const stranger = { Authorization: '', Cookie: '' }
      await expectDocumented(operation, await call(method.toUpperCase(), url, body, stranger))
    }
    if (body) await expectDocumented(operation, await call(method.toUpperCase(), url, { nmae: 1 }))
  })

  it('is the document itself at /openapi.json, without a key', async () => {
    const response = await fetch(`${gateway.url}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const text = await response.text()
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument('live'))))
    expect(text).not.toMatch(/(?! )[\p{C}\p{M}\p{Z}\p{DI}\u2800]/u)
  })
})
