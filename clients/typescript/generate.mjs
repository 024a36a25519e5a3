// Writes the client's types from the OpenAPI document that the built gateway tells: `node generate.mjs FILE`.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import process from 'node:process'
import openapiTS, { astToString } from 'openapi-typescript'

const { openApiDocument } = createRequire(import.meta.url)('@einvoicing/gateway/openapi/document')

// The client speaks for a key; the dashboard's calls are for people, by session.
const document = JSON.parse(JSON.stringify(openApiDocument()))
const pickedFrom = (table, keep) =>
  Object.fromEntries(Object.entries(table).filter(([name]) => keep(name)))
const paths = pickedFrom(document.paths, (path) => path.startsWith('/v1/'))

const spoken = new Set()
for (const parts = [paths]; parts.length > 0;) {
  const text = JSON.stringify(parts.pop())
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (!spoken.has(name)) parts.push(document.components.schemas[name])
    spoken.add(name)
  }
}
const schemas = pickedFrom(document.components.schemas, (name) => spoken.has(name))

const types = await openapiTS({
  ...document,
  paths,
  components: { ...document.components, schemas },
})
const heading =
  '/** Made by openapi-typescript from the OpenAPI document: `npm run generate`. */\n\n'
await writeFile(process.argv[2], heading + astToString(types))
