/**
 * One operation of the document: what its caller must show, what it takes, what it answers, and
 * every refusal it can meet.
 */

import type { JsonSchema } from '../fields/json-schema'
import type { QueryRules } from '../fields/read-query'
import { refusalResponses, type PublicCode } from './errors'
import {
  header,
  linksTo,
  successEnvelope,
  type HeaderName,
  type MediaType,
  type ResponseObject,
} from './responses'

export type Caller = 'key' | 'session' | 'anyone'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** By name, as a request or an answer may look. */
export type Examples = Record<string, unknown>

export interface OperationPlan {
  id: string
  tag: string
  summary: string
  description?: string
  caller: Caller
  parameters?: readonly Parameter[]
  body?: Body
  answer: Answer
  refusals?: readonly PublicCode[]
}

interface Body {
  schema: string
  examples: Examples
  /** What each example shows, where its name does not. */
  summaries?: Record<string, string>
}

/** `data` names a schema of the components. */
export type Answer =
  | {
      status?: 200 | 201
      data: string
      examples: Examples
      headers?: readonly HeaderName[]
      links?: readonly string[]
    }
  | { responses: Record<string, ResponseObject> }

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, []>[]
  parameters?: readonly Parameter[]
  requestBody?: RequestBody
  responses: Record<string, ResponseObject>
}

export interface RequestBody {
  required: true
  content: { 'application/json': MediaType }
}

/** By path, by method in lower case. */
export type Paths = Record<string, Record<string, OperationObject>>

const callers = {
  key: {
    security: [{ apiKey: [] as [] }],
    headers: ['RateLimit', 'RateLimit-Policy'],
    refusals: ['API_KEY_MISSING', 'API_KEY_INVALID', 'API_KEY_RATE_LIMITED'],
  },
  session: {
    security: [{ session: [] as [] }],
    headers: [],
    refusals: ['SESSION_MISSING', 'SESSION_INVALID', 'TOO_MANY_ATTEMPTS'],
  },
  anyone: { security: [], headers: [], refusals: [] },
} as const

/** What every answer to this caller bears. */
export function callerHeaders(caller: Caller): readonly HeaderName[] {
  return callers[caller].headers
}

const withBody = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const anywhere = [
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const

export function operation(plan: OperationPlan): OperationObject {
  const { id, tag, summary, description, caller, parameters, body, refusals = [] } = plan
  const codes = [
    ...callers[caller].refusals,
    ...(body ? withBody : []),
    ...refusals,
    ...anywhere,
  ] as const
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: [...callers[caller].security],
    ...(parameters && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: { ...responsesOf(plan), ...refusalResponses([...new Set(codes)]) },
  }
}

function requestBody({ schema, examples, summaries = {} }: Body): RequestBody {
  const named = Object.entries(valued(examples)).map(([name, example]) => {
    const summary = summaries[name]
    return [name, { ...(summary !== undefined && { summary }), ...example }]
  })
  const media = { schema: refTo(schema), examples: Object.fromEntries(named) as Named }
  return { required: true, content: { 'application/json': media } }
}

function responsesOf({ answer, caller }: OperationPlan): Record<string, ResponseObject> {
  if ('responses' in answer) return answer.responses
  const { status = 200, data, examples, headers = [], links } = answer
  const message = status === 201 ? 'Created' : 'OK'
  const enveloped = Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [
      name,
      { code: 'OK', message, data: example, errors: null },
    ]),
  )
  const media = { schema: successEnvelope(refTo(data)), examples: valued(enveloped) }
  const response = {
    description: message,
    headers: header('X-Request-Id', ...callerHeaders(caller), ...headers),
    content: { 'application/json': media },
    ...(links && { links: linksTo(links) }),
  }
  return { [status]: response }
}

type Named = Record<string, { summary?: string; value: unknown }>

function valued(examples: Examples): Named {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
}

export function refTo(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` }
}

/** What a query may ask, from the rules that read it. */
export function queryParameters(rules: QueryRules): Parameter[] {
  return Object.entries(rules).map(([name, { schema }]) => {
    const { description, ...rest } = schema
    return { name, in: 'query', ...(description !== undefined && { description }), schema: rest }
  })
}
