import { limits } from '@einvoicing/domain/limits'
import { z } from 'zod'
import { toJsonSchema } from './json-schema'
import { explainAbsence, formatValue } from './rules'

/**
 * Of a body, which may hold a million items: reads none if there are more than `countMax`, and none
 * after as many errors as are reported.
 */
export function boundedList<Item>(item: z.ZodType<Item>, countMax: number) {
  return z
    .custom<unknown[]>((value) => Array.isArray(value) && value.length <= countMax, {
      error: ({ input }) => explainNotList(input, countMax),
    })
    .transform((items, { issues }): Item[] => {
      const found: Item[] = []
      for (const [index, input] of items.entries()) {
        if (issues.length >= limits.fieldErrorsReported) break
        const read = item.safeParse(input)
        if (read.success) found.push(read.data)
        else {
          for (const issue of read.error.issues) {
            issues.push({ ...issue, path: [index, ...issue.path], input } as z.core.$ZodRawIssue)
          }
        }
      }
      return found
    })
    .meta({ type: 'array', maxItems: countMax, items: toJsonSchema(item) })
}

function explainNotList(value: unknown, countMax: number): string {
  if (!Array.isArray(value)) {
    return explainAbsence(value) ?? `must be an array; got ${formatValue(value)}`
  }
  return `must have at most ${countMax} items; got ${value.length}`
}
