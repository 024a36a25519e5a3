// Left out: 404 of other paths, 405 of other methods, and HEAD, which every GET supports.

import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '@einvoicing/domain/environment'
import { apiKeyPrefix } from '@einvoicing/access/api-key'
import { dashboardGroups } from '../dashboard/routes'
import { toAnswerSchema, toJsonSchema, type JsonSchema } from '../fields/json-schema'
import type { ApiGroup, ApiRoute } from '../routes/api-route'
import { v1Groups } from '../v1-groups'
import { errorExamples, errorSchema, fieldErrorSchema } from './errors'
import { toOperation, type OperationObject } from './operation'
import { headers } from './responses'

type Paths = Record<string, Record<string, OperationObject>>

export interface OpenApiDocument {
  openapi: string
  info: object
  externalDocs: object
  servers: object[]
  tags: object[]
  paths: Paths
  components: { schemas: Record<string, JsonSchema> } & Record<string, object>
}

type Group = Omit<ApiGroup<never>, 'table'> & {
  table: Record<string, Record<string, ApiRoute<never>>>
}

const groups = [...v1Groups, ...dashboardGroups] as Group[]
const routes = groups.flatMap(({ table }) =>
  Object.values(table).flatMap(Object.values<ApiRoute<never>>),
)

export function openApiDocument(environment: Environment): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Electronic Invoicing Service',
      version: 'v1',
      'x-environment': environment,
      description: [
        'Sales invoices as JSON. Each is computed, written as UBL 2.1 and signed with XAdES before the answer, then cleared with the tax authority.',
        'Every answer except a download has the same envelope: `code`, `message`, `data`, `errors`.',
        'An unknown path gets 404 NOT_FOUND, an unsupported method 405 METHOD_NOT_ALLOWED with `Allow`. The [guide](/docs/guide/errors) lists each error code with its cause and fix.',
        'Lengths are counted in Unicode characters. Bodies may be compressed with gzip, deflate or br; the limit is 2 MiB after decoding.',
      ].join('\n\n'),
    },
    externalDocs: { description: 'Guide', url: '/docs/guide' },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Invoices', description: 'Creation, clearance and correction.' },
      { name: 'Artefacts', description: 'Downloads, stored for ten years.' },
      { name: 'Verification', description: 'Whether a signed file is genuine.' },
      {
        name: 'Dashboard',
        description: 'For people, by session. Programs use the operations above, with an API key.',
      },
    ],
    paths: createPaths(),
    components: {
      schemas: {
        ...collectSchemas(routes),
        ErrorEnvelope: errorSchema,
        FieldError: fieldErrorSchema,
      },
      examples: errorExamples,
      headers,
      securitySchemes,
    },
  }
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${apiKeyPrefix}…`,
    description: 'A secret key of one organization, from the dashboard. Use it on servers only.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'From POST session.' },
}

function createPaths(): Paths {
  const paths: Paths = {}
  for (const group of groups) {
    for (const [path, methods] of Object.entries(group.table)) {
      const pattern = `${group.base}${path === '/' ? '' : path.replace(':id', '{id}')}`
      for (const [method, route] of Object.entries(methods)) {
        const operation = toOperation(group, route, method)
        paths[pattern] = { ...paths[pattern], [method.toLowerCase()]: operation }
      }
    }
  }
  return paths
}

export function collectSchemas(
  routes: readonly Pick<ApiRoute<never>, 'body' | 'answer'>[],
): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {}
  const add = (name: string, schema: JsonSchema) => {
    const other = schemas[name]
    if (other && !isDeepStrictEqual(schema, other)) throw new Error(`${name} names two schemas`)
    schemas[name] = schema
  }
  for (const { body, answer } of routes) {
    if (body) add(body.name, toJsonSchema(body.schema))
    const named = 'mediaType' in answer ? (answer.schemas ?? {}) : { [answer.name]: answer.schema }
    for (const [name, schema] of Object.entries(named)) add(name, toAnswerSchema(schema))
  }
  return schemas
}
