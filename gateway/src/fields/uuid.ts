import type { Request } from 'express'
import type { Parameter } from '../routes/api-route'
import { uuid } from './answer-fields'
import { toAnswerSchema } from './json-schema'

export const uuidPattern =
  '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$'

const form = new RegExp(uuidPattern)

export function isUuid(text: string): boolean {
  return form.test(text)
}

/** In lower case, as issued (RFC 9562, section 4). */
export function readPathId(request: Request, notFound: () => Error): string {
  const id = String(request.params['id']).toLowerCase()
  if (!isUuid(id)) throw notFound()
  return id
}

export function idParameter(description?: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    ...(description !== undefined && { description }),
    schema: toAnswerSchema(uuid),
  }
}
