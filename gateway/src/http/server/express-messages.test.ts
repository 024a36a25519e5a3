import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createMessageClasses } from './express-messages'

/** What a route of this app sees, and the prototypes before and after Express. */
async function serveOnce(name: string) {
  const app = express()
  app.set('trust proxy', true)
  const prototypes: unknown[] = []
  app.get('/', (request, response) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response))
    response.json({ name, ip: request.ip, isOwnApp: request.app === app && response.app === app })
  })
  const server = http.createServer(createMessageClasses(app), (request, response) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response))
    app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  const answer = (await (await fetch(`http://127.0.0.1:${port}/`, { headers })).json()) as object
  server.close()
  server.closeAllConnections()
  return { answer, prototypes, app }
}

describe('the requests and responses of a server', () => {
  it('have the prototypes of their app before Express handles them', async () => {
    const { prototypes, app } = await serveOnce('one')
    const { request, response } = app
    expect(prototypes).toHaveLength(4)
    expect(prototypes.every((each, at) => each === (at % 2 ? response : request))).toBe(true)
  })

  it('work as those of Express, also with two apps in one process', async () => {
    const [first, second] = await Promise.all([serveOnce('first'), serveOnce('second')])
    expect(first.answer).toEqual({ name: 'first', ip: '192.0.2.7', isOwnApp: true })
    expect(second.answer).toEqual({ name: 'second', ip: '192.0.2.7', isOwnApp: true })
  })
})
