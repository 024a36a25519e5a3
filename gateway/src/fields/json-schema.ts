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

export function toJsonSchema(body: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' })
  return schema as JsonSchema
}

export function toAnswerSchema(answer: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, {
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames
      const [value, none] = jsonSchema.anyOf ?? []
      if (!value?.type || none?.type !== 'null') return
      delete jsonSchema.anyOf
      const nullable = {
        type: [value.type, 'null'],
        ...(value.enum && { enum: [...value.enum, null] }),
      }
      Object.assign(jsonSchema, { ...value, ...jsonSchema, ...nullable })
    },
  })
  return schema as JsonSchema
}
