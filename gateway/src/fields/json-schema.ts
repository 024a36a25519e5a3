/** As much of JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1) as we write. */

import { z } from 'zod'

export interface JsonSchema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  default?: unknown
  examples?: readonly unknown[]
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMaximum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  allOf?: readonly JsonSchema[]
  if?: JsonSchema
  then?: JsonSchema
}

/** What a body must be to pass, told by the very object that it passes through. */
export function toJsonSchema(body: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' })
  return schema as JsonSchema
}
