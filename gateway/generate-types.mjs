// Types of the client and the dashboard, from the OpenAPI document: `node generate-types.mjs ROOT`.

import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import openapiTS, { astToString } from 'openapi-typescript'

const { openApiDocument } = createRequire(import.meta.url)('@einvoicing/gateway/openapi/document')

// The client has a key; the dashboard a person, and names its paths itself.
const callers = [
  {
    folder: 'clients/typescript',
    prefix: '/v1/',
    keep: ({ paths, components }) => ({ paths, components }),
  },
  {
    folder: 'dashboard',
    prefix: '/dashboard/api/',
    keep: ({ components: { schemas } }) => ({ paths: {}, components: { schemas } }),
  },
]

const document = JSON.parse(JSON.stringify(openApiDocument('live')))
for (const { folder, prefix, keep } of callers) {
  const types = await openapiTS({ ...document, ...keep(spokenBelow(prefix)) })
  const file = path.join(process.argv[2], folder, 'src', 'gen', 'api.ts')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(
    file,
    `/** Made by openapi-typescript from the OpenAPI document: \`npm run generate\`. */\n\n${astToString(types)}`,
  )
}

const { invoiceFieldNames, lineFieldNames, notCopiedFields } = createRequire(import.meta.url)(
  '@einvoicing/domain/invoice-fields',
)
const listNames = (list, names) =>
  `export const ${list} = [\n${names.map((name) => `  '${name}',\n`).join('')}] as const\n`
await writeFile(
  path.join(process.argv[2], 'clients/typescript/src/gen/invoice-fields.ts'),
  [
    '/** Made from packages/domain/src/invoice-fields.ts: `npm run generate`. */\n',
    listNames('invoiceFieldNames', invoiceFieldNames),
    listNames('lineFieldNames', lineFieldNames),
    listNames('notCopiedFields', notCopiedFields),
  ].join('\n'),
)

/** The paths with this prefix, and the components they use. */
function spokenBelow(prefix) {
  const paths = pickedFrom(document.paths, (name) => name.startsWith(prefix))
  const spoken = new Set()
  for (const parts = [paths]; parts.length > 0;) {
    const text = JSON.stringify(parts.pop())
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!spoken.has(name)) parts.push(document.components.schemas[name])
      spoken.add(name)
    }
  }
  const schemas = pickedFrom(document.components.schemas, (name) => spoken.has(name))
  return { paths, components: { ...document.components, schemas } }
}

function pickedFrom(table, keep) {
  return Object.fromEntries(Object.entries(table).filter(([name]) => keep(name)))
}
