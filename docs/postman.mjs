// Writes the API as a Postman collection (format 2.1), from the OpenAPI document of the built gateway:
// `node docs/postman.mjs [FILE]`. Key and address are variables of the collection.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import process from 'node:process'

const { openApiDocument } = createRequire(import.meta.url)('../gateway/dist/openapi/document.js')
const { info, paths, tags } = openApiDocument('live')
const file = process.argv[2] ?? 'einvoicing.postman_collection.json'

const byTag = new Map(tags.map(({ name, description }) => [name, { name, description, item: [] }]))
for (const [path, methods] of Object.entries(paths)) {
  // What the dashboard's page calls, by session, is not for programs.
  if (!path.startsWith('/v1/')) continue
  for (const [method, operation] of Object.entries(methods)) {
    byTag.get(operation.tags[0]).item.push(toItem(path, method, operation))
  }
}

const collection = {
  info: {
    name: info.title,
    description: info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
  variable: [
    { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
    { key: 'apiKey', value: '' },
  ],
  item: [...byTag.values()].filter(({ item }) => item.length > 0),
}
await writeFile(file, `${JSON.stringify(collection, null, 2)}\n`)
process.stdout.write(`${file}: import it into Postman, and set its variables baseUrl and apiKey\n`)

/** An operation, and each example of its body that has a name of its own as a saved example. */
function toItem(path, method, operation) {
  const bodies = readBodies(operation.requestBody)
  return {
    name: operation.summary,
    request: toRequest(path, method, operation, bodies[0]),
    response: bodies
      .filter(({ body }) => body.mode === 'raw')
      .map(({ name, ...content }, at) => ({
        name: name ?? `Example ${at + 1}`,
        originalRequest: toRequest(path, method, operation, content),
      })),
  }
}

function readBodies({ content = {} } = {}) {
  return Object.entries(content).flatMap(([mediaType, { examples }]) => {
    if (mediaType !== 'application/json') {
      return [{ mediaType, body: { mode: 'file', file: { src: null } } }]
    }
    return Object.values(examples).map(({ summary, value }) => ({
      mediaType,
      name: summary,
      body: {
        mode: 'raw',
        raw: JSON.stringify(value, null, 2),
        options: { raw: { language: 'json' } },
      },
    }))
  })
}

function toRequest(path, method, { description, parameters = [] }, content) {
  const query = parametersIn('query', parameters)
  return {
    method: method.toUpperCase(),
    description,
    header: [
      ...(content ? [{ key: 'Content-Type', value: content.mediaType }] : []),
      ...parametersIn('header', parameters),
    ],
    url: {
      raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: path
        .slice(1)
        .split('/')
        .map((part) => part.replace(/^\{(\w+)\}$/, ':$1')),
      ...(query.length > 0 && { query }),
      variable: parametersIn('path', parameters).map(({ key, description }) => ({
        key,
        value: '',
        description,
      })),
    },
    ...(content && { body: content.body }),
  }
}

/** Left out of the request until a person ticks them. */
function parametersIn(place, parameters) {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, description = '', schema }) => ({
      key: name,
      value: String(schema.default ?? schema.examples?.[0] ?? schema.enum?.[0] ?? ''),
      description,
      disabled: true,
    }))
}
