import { openApiDocument } from '@einvoicing/gateway/openapi/document'

interface Answered {
  status: number
  code: string
}

const operations = Object.entries(openApiDocument('test').paths).map(([template, methods]) => ({
  path: new RegExp(`^${template.replace('{id}', '[^/%]+')}$`),
  methods,
}))

/** Throws for an error that the OpenAPI document does not have for the operation and status. */
export function checkDocumented(method: string, url: string, { status, code }: Answered): void {
  const { pathname } = new URL(url)
  const [operation] = operations.flatMap(({ path, methods }) =>
    path.test(pathname) ? (methods[method.toLowerCase()] ?? []) : [],
  )
  if (!operation) return
  const { description = '(no such status)' } = operation.responses[status] ?? {}
  if (description.split(', ').includes(code)) return
  throw new Error(`${operation.operationId} does not document ${status} ${code}: ${description}`)
}
