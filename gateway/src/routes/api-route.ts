import type { ErrorCode } from '@einvoicing/domain/api-error'
import type { Role } from '@einvoicing/domain/role'
import type { Router } from 'express'
import type { z } from 'zod'
import type { JsonSchema } from '../fields/json-schema'
import type { QueryRules } from '../fields/read-query'
import { createRouter, type Handle, type Method, type RouteTable } from '../http/route-table'
import { requireRole } from './rights'

export type PublicErrorCode = Exclude<ErrorCode, 'CALLER_REFUSED'>

export type CallerKind = 'key' | 'session' | 'anyone'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export type Examples = Record<string, unknown>

export type HeaderName =
  | 'Content-Disposition'
  | 'ETag'
  | 'Location'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'Set-Cookie'
  | 'WWW-Authenticate'
  | 'X-Request-Id'
  | 'X-Signature-Level'

/** `name`: of the schema in the document's components. */
export interface Body {
  name: string
  schema: z.ZodType
  examples: Examples
  /** By example, if its name is not clear enough. */
  summaries?: Record<string, string>
}

export interface EnvelopeAnswer {
  status?: 200 | 201 | 202
  name: string
  schema: z.ZodType
  examples: Examples
  headers?: readonly HeaderName[]
  /** Operations that take the id from the answer. */
  links?: readonly string[]
}

export interface RawAnswer {
  mediaType: string
  description: string
  schema?: JsonSchema
  examples?: Examples
  headers?: readonly HeaderName[]
  /** Description of 304, for conditional requests. */
  notModified?: string
  /** Schemas that the description of the operation names. */
  schemas?: Record<string, z.ZodType>
}

/** Not JSON: read by the route itself. */
export interface RawBody {
  mediaType: string
  description: string
}

export interface ApiRoute<Deps> {
  handle: (deps: Deps) => Handle
  operationId: string
  summary: string
  description: string
  /** If it differs from the group's. */
  caller?: CallerKind
  parameters?: readonly Parameter[]
  query?: QueryRules
  body?: Body
  rawBody?: RawBody
  answer: EnvelopeAnswer | RawAnswer
  /** Besides those of every request, of its caller and of a body. */
  errors?: readonly PublicErrorCode[]
}

/** By path, by method. GET includes HEAD. */
export type ApiTable<Deps> = Record<string, Partial<Record<Method, ApiRoute<Deps>>>>

export interface ApiGroup<Deps> {
  base: string
  tag: string
  caller: CallerKind
  /** Distinguishes the operations of a table that is served to two kinds of callers. */
  idPrefix?: string
  /** For every method but GET. */
  writeRole?: Role
  table: ApiTable<Deps>
}

/** Of groups with one base. */
export function createGroupRouter<Deps>(groups: readonly ApiGroup<Deps>[], deps: Deps): Router {
  const tables = groups.map((group) => bindRoutes(group, deps))
  return createRouter(groups[0]?.base ?? '', Object.assign({}, ...tables) as RouteTable)
}

function bindRoutes<Deps>({ table, writeRole }: ApiGroup<Deps>, deps: Deps): RouteTable {
  const bind = ([method, { handle }]: [string, ApiRoute<Deps>]) => {
    const bound = handle(deps)
    const isGuarded = writeRole !== undefined && method !== 'GET'
    return [method, isGuarded ? requireRole(writeRole, bound) : bound]
  }
  return Object.fromEntries(
    Object.entries(table).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(bind)),
    ]),
  )
}
