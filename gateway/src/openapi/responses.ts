/** Answers as the document tells them, and the headers they bear. */

import type { JsonSchema } from '../fields/json-schema'

export interface MediaType {
  schema?: JsonSchema
  examples?: Record<string, { $ref: string } | { summary?: string; value: unknown }>
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, MediaType>
  links?: Record<string, LinkObject>
}

/** What the answer's id is good for. */
interface LinkObject {
  operationId: string
  parameters: { id: string }
}

interface HeaderObject {
  description: string
  schema: JsonSchema
}

/** `components.headers`. */
export const headers = {
  'X-Request-Id': {
    description: "The client's own where it is fit for a log, else ours; tell it to support.",
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of this minute (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', examples: ['"default";r=299;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'How many requests one API key may make in how many seconds.',
    schema: { type: 'string', examples: ['"default";q=300;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'RFC 6750, section 3.',
    schema: { type: 'string', examples: ['Bearer realm="einvoicing"'] },
  },
  Location: {
    description: 'Where the new invoice is.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'A strong validator: the SHA-256 of what was answered.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{64}"$' },
  },
  'Content-Disposition': {
    description: 'A file name made of the invoice number (RFC 6266).',
    schema: { type: 'string', examples: ['attachment; filename="F-2026-0001.xml"'] },
  },
  'Set-Cookie': {
    description:
      'The session, HttpOnly and SameSite=Strict: `__Host-session`, Secure, where the outside is https, else `session`.',
    schema: { type: 'string' },
  },
} satisfies Record<string, HeaderObject>

export type HeaderName = keyof typeof headers

export function header(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** To operations that take the id of what was answered. */
export function linksTo(operationIds: readonly string[]): Record<string, LinkObject> {
  const parameters = { id: '$response.body#/data/id' }
  return Object.fromEntries(operationIds.map((id) => [id, { operationId: id, parameters }]))
}

/** The envelope of a success around its data. */
export function successEnvelope(data: JsonSchema): JsonSchema {
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
