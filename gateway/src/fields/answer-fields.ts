import { z } from 'zod'

export const uuid = z.string().meta({ format: 'uuid' })
export const date = z.string().meta({ format: 'date' })
export const time = z.string().meta({ format: 'date-time' })
export const amount = z.number().meta({ minimum: 0 })
export const integer = z.number().meta({ type: 'integer' })
export const count = z.number().meta({ type: 'integer', minimum: 0 })

export function textOneOf(values: readonly string[]) {
  return z.string().meta({ enum: [...values] })
}

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ content: z.array(item) })
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    content: z.array(item),
    page: count,
    size: z.number().meta({ type: 'integer', minimum: 1 }),
    totalElements: count,
    totalPages: count,
    first: z.boolean(),
    last: z.boolean(),
  })
}

export const nothingAnswer = {
  name: 'Nothing',
  schema: z.object({}),
  examples: { nothing: {} },
}
