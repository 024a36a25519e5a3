import { mkdtemp, mkdir, writeFile, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createLog } from '@einvoicing/runtime/log'
import express, { type Request, type Response } from 'express'
import { BodyMemory } from './body-memory'
import { beginExchange } from './exchange'
import { createNotFound, sendError } from './error-to-http'
import { createRouter } from './route-table'
import { createFolderRoutes } from './static-files'

const style = 'p { margin: 0 }\n'.repeat(100)
let folder: string
let server: http.Server
let url: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'static-'))
  await mkdir(path.join(folder, 'docs'))
  await writeFile(path.join(folder, 'docs.html'), '<!doctype html>')
  await writeFile(path.join(folder, 'docs', 'style-1a2b3c4d.css'), style)
  await writeFile(path.join(folder, 'docs', 'a (b)+.svg'), '<svg/>')
  await writeFile(path.join(folder, 'docs', 'dot.png'), Buffer.from([0x89, 0x50]))
  await writeFile(path.join(folder, 'docs', 'strange.xyz'), '?')
  const app = express()
  app.use(createRouter('', createFolderRoutes(folder)))
  await writeFile(path.join(folder, 'docs', 'later.css'), style)
  server = http.createServer((request, response) => {
    beginExchange(request, response, new BodyMemory(1))
    app(request as Request, response as Response, (thrown?: unknown) =>
      sendError(response as Response, thrown ?? createNotFound(), createLog('silent')),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

interface Got {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/** Not `fetch`, which decodes what it got. */
const get = (file: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') =>
  new Promise<Got>((resolve, reject) => {
    const options = { method, headers: { Connection: 'close', ...headers } }
    const request = http.request(url + file, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject).end()
  })

it('serves a page by its name without .html, asked for again each time', async () => {
  const { status, headers, body } = await get('/docs')
  expect([status, body.toString()]).toEqual([200, '<!doctype html>'])
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-cache')
})

it('browsers may cache files named by their content', async () => {
  const { headers } = await get('/docs/style-1a2b3c4d.css')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['', (body: Buffer) => body],
  ['identity', (body: Buffer) => body],
  ['br;q=0', (body: Buffer) => body],
])('compresses as is accepted: %s', async (accepted, decode) => {
  const { headers, body } = await get('/docs/style-1a2b3c4d.css', { 'Accept-Encoding': accepted })
  expect(headers.vary).toBe('Accept-Encoding')
  expect(headers['content-encoding'] ?? '').toBe(/^(br|gzip)$/.test(accepted) ? accepted : '')
  expect(headers['content-length']).toBe(String(body.length))
  expect(decode(body).toString()).toBe(style)
})

it('does not compress compressed files', async () => {
  const { headers, body } = await get('/docs/dot.png', { 'Accept-Encoding': 'br' })
  expect(headers['content-encoding']).toBeUndefined()
  expect([...body]).toEqual([0x89, 0x50])
})

it('answers 304 to a client that has it; each encoding has its own tag', async () => {
  const plain = await get('/docs/style-1a2b3c4d.css')
  const packed = await get('/docs/style-1a2b3c4d.css', { 'Accept-Encoding': 'br' })
  expect(plain.headers.etag).not.toBe(packed.headers.etag)
  const known = { 'If-None-Match': plain.headers.etag }
  const again = await get('/docs/style-1a2b3c4d.css', known)
  expect([again.status, again.body.length]).toEqual([304, 0])
  expect(again.headers['cache-control']).toContain('immutable')
  const other = await get('/docs/style-1a2b3c4d.css', { ...known, 'Accept-Encoding': 'br' })
  expect(other.status).toBe(200)
})

it('answers HEAD without the bytes', async () => {
  const { status, headers, body } = await get('/docs/dot.png', {}, 'HEAD')
  expect([status, headers['content-length'], body.length]).toEqual([200, '2', 0])
})

it('serves names that mean something in patterns as they are', async () => {
  expect((await get('/docs/a%20(b)+.svg')).status).toBe(200)
  expect((await get('/docs/a%20b.svg')).status).toBe(404)
})

it.each(['/docs.html', '/docs/later.css', '/docs/../docs.html', '/docs/%2e%2e/docs.html'])(
  'does not serve %s',
  async (file) => {
    const { status, body } = await get(file)
    expect(status).toBe(404)
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'NOT_FOUND' })
  },
)

it('answers 405 to other methods, and 500 to a file of a kind it does not know', async () => {
  const { status, headers } = await get('/docs', {}, 'POST')
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  expect((await get('/docs/strange.xyz')).status).toBe(500)
})

it('has no routes for a folder that does not exist', () => {
  expect(createFolderRoutes(path.join(folder, 'nowhere'))).toEqual({})
})
