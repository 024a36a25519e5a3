interface Answered {
  status: number
  code: string
}

let operations: ReturnType<typeof readOperations> | undefined

/** Loaded once it is needed: few files of tests ever do. */
async function readOperations() {
  const { openApiDocument } = await import('@einvoicing/gateway/openapi/document')
  return Object.entries(openApiDocument('test').paths).map(([template, methods]) => ({
    path: new RegExp(`^${template.replace('{id}', '[^/%]+')}$`),
    methods,
  }))
}

/** Throws for an error that the OpenAPI document does not have for the operation and status. */
export async function checkDocumented(
  method: string,
  url: string,
  { status, code }: Answered,
): Promise<void> {
  const { pathname } = new URL(url)
  operations ??= readOperations()
  const [operation] = (await operations).flatMap(({ path, methods }) =>
    path.test(pathname) ? (methods[method.toLowerCase()] ?? []) : [],
  )
  if (!operation) return
  const { description = '(no such status)' } = operation.responses[status] ?? {}
  if (description.split(', ').includes(code)) return
  throw new Error(`${operation.operationId} does not document ${status} ${code}: ${description}`)
}
