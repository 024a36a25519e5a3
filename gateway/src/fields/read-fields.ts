import { limits } from '@einvoicing/domain/limits'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import { parseJsonObject, readJsonText } from '../http/body/read-json'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { findFieldErrors } from './field-errors'

export async function readFields<Shape extends z.ZodRawShape>(
  request: Request,
  response: Response,
  schema: z.ZodObject<Shape, z.core.$strict>,
): Promise<z.infer<typeof schema>> {
  const text = await readJsonText(request, response, limits.accountBodyBytes)
  const read = schema.safeParse(parseJsonObject(text))
  if (read.success) return read.data
  throw createValidationError(findFieldErrors(read.error, () => Object.keys(schema.shape)))
}
