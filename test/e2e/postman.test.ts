import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openApiDocument } from '@einvoicing/gateway/openapi/document'
import { onBorrowedStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'

const root = path.join(__dirname, '..', '..')

function makeCollection(): any {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'postman-'))
  try {
    const file = path.join(folder, 'collection.json')
    execFileSync(process.execPath, [path.join(root, 'docs', 'postman.mjs'), file])
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

onBorrowedStack('the Postman collection', (stack) => {
  const collection = makeCollection()
  const items: any[] = collection.item.flatMap(({ item }: any) => item)

  test('has every call that a key may make, and the key as a variable', () => {
    const documented = Object.entries(openApiDocument('test').paths)
      .filter(([pattern]) => pattern.startsWith('/v1/'))
      .flatMap(([pattern, methods]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} {{baseUrl}}${pattern.replace('{id}', ':id')}`,
        ),
      )
    expect(items.map(({ request }) => `${request.method} ${request.url.raw}`).sort()).toEqual(
      documented.sort(),
    )
    expect(collection.info.schema).toMatch(/collection\/v2\.1\.0/)
    expect(collection.auth.bearer[0].value).toBe('{{apiKey}}')
    expect(collection.variable.map(({ key }: any) => key)).toEqual(['baseUrl', 'apiKey'])
    for (const { request } of items) {
      expect(request.url.path.join('/')).toBe(request.url.raw.replace('{{baseUrl}}/', ''))
    }
  })

  test('has a body of its media type for every call that takes one', () => {
    const taking = Object.entries(openApiDocument('test').paths)
      .filter(([pattern]) => pattern.startsWith('/v1/'))
      .flatMap(([pattern, methods]) =>
        Object.entries(methods as Record<string, any>)
          .filter(([, operation]) => operation.requestBody !== undefined)
          .map(([method, { requestBody }]) => [
            `${method.toUpperCase()} {{baseUrl}}${pattern.replace('{id}', ':id')}`,
            Object.keys(requestBody.content)[0],
          ]),
      )
    expect(new Set(taking.map(([, mediaType]) => mediaType)).size).toBe(2)
    const sent = items
      .filter(({ request }) => request.body !== undefined)
      .map(({ request: { method, url, header, body } }) => {
        const type = header.find(({ key, disabled }: any) => key === 'Content-Type' && !disabled)
        const mode = type?.value === 'application/json' ? 'raw' : 'file'
        expect(body).toMatchObject({ mode, [mode]: expect.anything() })
        return [`${method} ${url.raw}`, type?.value]
      })
    expect(sent.sort()).toEqual(taking.sort())
  })

  test('creates an invoice as it is', async () => {
    const { key } = await newOrganization(stack())
    const { request } = items.find(({ request: { method, url } }) =>
      /POST .*invoices$/.test(`${method} ${url.raw}`),
    )
    const headers = request.header
      .filter(({ disabled }: any) => !disabled)
      .map((header: any) => [header.key, header.value])
    const answer = await fetch(request.url.raw.replace('{{baseUrl}}', stack().baseUrl), {
      method: request.method,
      headers: { ...Object.fromEntries(headers), Authorization: `Bearer ${key.key}` },
      body: request.body.raw,
    })
    expect(answer.status).toBe(201)
  })
})
