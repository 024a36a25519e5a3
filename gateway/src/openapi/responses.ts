import { signatureLevelNames } from '@einvoicing/domain/signature-level'
import type { JsonSchema } from '../fields/json-schema'
import type { Examples, HeaderName } from '../routes/api-route'

export type NamedExamples = Record<string, { $ref: string } | { summary?: string; value: unknown }>

export interface MediaType {
  schema?: JsonSchema
  examples?: NamedExamples
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, MediaType>
  links?: Record<string, LinkObject>
}

interface LinkObject {
  operationId: string
  parameters: { id: string }
}

interface HeaderObject {
  description: string
  schema: JsonSchema
}

export const headers = {
  'X-Request-Id': {
    description: 'The id your request sent, or a new one. Quote it to support.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Requests left in this minute (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', examples: ['"default";r=299;t=60'] },
  },
  'RateLimit-Policy': {
    description:
      'Requests allowed for one API key, or one user of the dashboard, per number of seconds.',
    schema: { type: 'string', examples: ['"default";q=300;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'RFC 6750, section 3.',
    schema: { type: 'string', examples: ['Bearer realm="einvoicing"'] },
  },
  Location: {
    description: 'The path of the new invoice.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'A strong validator: the SHA-256 of the content.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{64}"$' },
  },
  'Content-Disposition': {
    description: 'A file name made from the invoice number (RFC 6266).',
    schema: { type: 'string', examples: ['attachment; filename="F-2026-0001.xml"'] },
  },
  'X-Signature-Level': {
    description: 'The XAdES level of the signature in the answer.',
    schema: { type: 'string', enum: [...signatureLevelNames] },
  },
  'Set-Cookie': {
    description:
      'The session, HttpOnly and SameSite=Strict: `__Host-session`, Secure, behind https; otherwise `session`.',
    schema: { type: 'string' },
  },
} satisfies Record<HeaderName, HeaderObject>

export function refToHeaders(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function toLinks(operationIds: readonly string[]): Record<string, LinkObject> {
  const parameters = { id: '$response.body#/data/id' }
  return Object.fromEntries(operationIds.map((id) => [id, { operationId: id, parameters }]))
}

export function toSuccessEnvelope(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      code: { const: 'OK' },
      message: { type: 'string' },
      data,
      errors: { type: 'null' },
    },
    required: ['code', 'message', 'data', 'errors'],
  }
}

export function refToSchema(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

export function toNamedExamples(examples: Examples): NamedExamples {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
}
