import { hasValue } from '@einvoicing/domain/visible-text'
import { z } from 'zod'
import { explainAbsence, formatValue, text, toZodSchema } from '../fields/rules'

export const optionalText = (lengthMax: number, description: string) =>
  toZodSchema<string>(text(lengthMax), description).nullish()

/** Its fields are optional; `null` and blank text are left out. */
export function structure<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  return z
    .strictObject(shape, {
      error: ({ input }) => explainAbsence(input) ?? `must be an object; got ${formatValue(input)}`,
    })
    .transform((fields) => dropBlank(fields))
    .meta({ description })
}

export type Filled<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null | undefined> }

export function dropBlank<Fields extends object>(fields: Fields): Filled<Fields> {
  const filled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (hasValue(value)) filled[name] = value
  return filled as Filled<Fields>
}
