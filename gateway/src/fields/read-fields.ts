/** Reads a small JSON object by a schema: every fault at once, unknown names included. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { parseJsonObject, readJsonText } from '../http/read-json'
import { faultsOf, invalid } from './field-faults'

export async function readFields<Shape extends z.ZodRawShape>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: z.ZodObject<Shape, z.core.$strict>,
): Promise<z.infer<typeof schema>> {
  const read = schema.safeParse(parseJsonObject(await readJsonText(request, response)))
  if (read.success) return read.data
  throw invalid(faultsOf(read.error, () => Object.keys(schema.shape)))
}
