import { once } from 'node:events'
import { createServer, request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { limitReceiving } from './limit-receiving'

const app = express()
app.post('/', limitReceiving(1_000), express.raw({ type: () => true }), (_request, response) => {
  response.json({})
})
const server = createServer(app)
let port: number
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function begin(headers: Record<string, string>): ClientRequest {
  const begun = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers })
  begun.on('error', () => undefined)
  begun.flushHeaders()
  return begun
}

async function readStatus(begun: ClientRequest, body: string): Promise<number | undefined> {
  const answered = once(begun, 'response') as Promise<[{ statusCode?: number }]>
  begun.end(body)
  const [{ statusCode }] = await answered
  return statusCode
}

const post = (body: string) => readStatus(begin({ 'content-length': String(body.length) }), body)

/** The server hears of another connection's headers, or of its end, a little later. */
async function until(body: string, status: number): Promise<void> {
  while ((await post(body)) !== status) await new Promise((resolve) => setTimeout(resolve, 5))
}

it('accepts documents up to the bound at once, and again when they have been received', async () => {
  const half = begin({ 'content-length': '600' })
  await until('x'.repeat(401), 503)
  expect(await post('x'.repeat(400))).toBe(200)
  expect(await readStatus(half, 'x'.repeat(600))).toBe(200)
  expect(await post('x'.repeat(1_000))).toBe(200)
})

it('counts a request without a length as the longest, and frees the memory of a cut request', async () => {
  expect(await readStatus(begin({ 'transfer-encoding': 'chunked' }), 'x')).toBe(503)
  const cut = begin({ 'content-length': '1000' })
  await until('x', 503)
  cut.destroy()
  await until('x', 200)
})
