import type { QueryRules } from '../fields/read-query'
import type {
  ApiGroup,
  ApiRoute,
  Body,
  CallerKind,
  EnvelopeAnswer,
  Examples,
  HeaderName,
  Parameter,
  PublicErrorCode,
  RawAnswer,
  RawBody,
} from '../routes/api-route'
import { toErrorResponses } from './errors'
import {
  refToHeaders,
  refToSchema,
  toLinks,
  toNamedExamples,
  toSuccessEnvelope,
  type MediaType,
  type NamedExamples,
  type ResponseObject,
} from './responses'

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, []>[]
  parameters?: readonly Parameter[]
  requestBody?: RequestBody
  responses: Record<string, ResponseObject>
}

interface RequestBody {
  required: true
  description?: string
  content: Record<string, MediaType>
}

interface CallerInfo {
  security: Record<string, []>[]
  headers: readonly HeaderName[]
  errors: readonly PublicErrorCode[]
}

const callers: Record<CallerKind, CallerInfo> = {
  key: {
    security: [{ apiKey: [] }],
    headers: ['RateLimit', 'RateLimit-Policy'],
    errors: [
      'API_KEY_MISSING',
      'API_KEY_INVALID',
      'API_KEY_RATE_LIMITED',
      'INSUFFICIENT_SCOPE',
      'FORBIDDEN',
    ],
  },
  session: {
    security: [{ session: [] }],
    headers: ['RateLimit', 'RateLimit-Policy'],
    errors: [
      'SESSION_MISSING',
      'SESSION_INVALID',
      'EMAIL_NOT_VERIFIED',
      'SECOND_FACTOR_REQUIRED',
      'ORGANIZATION_SWITCHED',
      'TOO_MANY_ATTEMPTS',
    ],
  },
  // With the cookie of a session, the request is one of the session.
  anyone: { security: [], headers: [], errors: ['TOO_MANY_ATTEMPTS'] },
}

const bodyErrors = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const rawBodyErrors = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

const commonErrors = [
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const

const requestedWith: Parameter = {
  name: 'X-Requested-With',
  in: 'header',
  required: true,
  description: 'Protects against CSRF: a form on another site cannot send it.',
  schema: { const: 'dashboard' },
}

type Group = Omit<ApiGroup<never>, 'table'>

export function toOperation(group: Group, route: ApiRoute<never>, method: string): OperationObject {
  const caller = route.caller ?? group.caller
  const isProtectedWrite = method !== 'GET' && group.caller !== 'key'
  const parameters = [
    ...(route.parameters ?? []),
    ...(isProtectedWrite ? [requestedWith] : []),
    ...toQueryParameters(route.query ?? {}),
  ]
  const codes: PublicErrorCode[] = [
    ...callers[caller].errors,
    ...(parameters.some(isValidated) ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.body ? bodyErrors : []),
    ...(route.rawBody ? rawBodyErrors : []),
    ...(route.errors ?? []),
    ...(isProtectedWrite ? (['CSRF_REFUSED'] as const) : []),
    ...(isProtectedWrite && group.writeRole ? (['FORBIDDEN'] as const) : []),
    ...commonErrors,
  ]
  const { idPrefix = '' } = group
  return {
    operationId: `${idPrefix}${route.operationId}`,
    tags: [group.tag],
    summary: route.summary,
    description: route.description,
    security: callers[caller].security,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: toRequestBody(route.body) }),
    ...(route.rawBody && { requestBody: toRawRequestBody(route.rawBody) }),
    responses: {
      ...toResponses(route.answer, callers[caller].headers, idPrefix),
      ...toErrorResponses([...new Set(codes)]),
    },
  }
}

function isValidated({ in: place, name }: Parameter): boolean {
  return place === 'query' || name === 'If-Match'
}

function toQueryParameters(rules: QueryRules): Parameter[] {
  return Object.entries(rules).map(([name, { schema }]) => {
    const { description, ...rest } = schema
    return { name, in: 'query', ...(description !== undefined && { description }), schema: rest }
  })
}

function toRequestBody({ name, examples, summaries = {} }: Body): RequestBody {
  const named = Object.entries(examples).map(([example, value]) => {
    const summary = summaries[example]
    return [example, { ...(summary !== undefined && { summary }), value }]
  })
  const media = { schema: refToSchema(name), examples: Object.fromEntries(named) as NamedExamples }
  return { required: true, content: { 'application/json': media } }
}

function toRawRequestBody({ mediaType, description }: RawBody): RequestBody {
  return { required: true, description, content: { [mediaType]: { schema: { type: 'string' } } } }
}

function toResponses(
  answer: EnvelopeAnswer | RawAnswer,
  callerHeaders: readonly HeaderName[],
  idPrefix: string,
): Record<string, ResponseObject> {
  const headers = refToHeaders('X-Request-Id', ...callerHeaders, ...(answer.headers ?? []))
  if ('mediaType' in answer) {
    const { mediaType, description, schema, examples, notModified } = answer
    const media: MediaType = {
      ...(schema && { schema }),
      ...(examples && { examples: toNamedExamples(examples) }),
    }
    return {
      200: { description, headers, content: { [mediaType]: media } },
      ...(notModified !== undefined && { 304: { description: notModified, headers } }),
    }
  }
  const { status = 200, name, examples, links } = answer
  const message = { 200: 'OK', 201: 'Created', 202: 'Accepted' }[status]
  const enveloped: Examples = {}
  for (const [example, data] of Object.entries(examples)) {
    enveloped[example] = { code: 'OK', message, data, errors: null }
  }
  const media = {
    schema: toSuccessEnvelope(refToSchema(name)),
    examples: toNamedExamples(enveloped),
  }
  return {
    [status]: {
      description: message,
      headers,
      content: { 'application/json': media },
      ...(links && { links: toLinks(links.map((id) => `${idPrefix}${id}`)) }),
    },
  }
}
