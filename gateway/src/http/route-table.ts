import express, { type Request, type Response, type Router } from 'express'
import { getExchange } from './exchange'
import { MethodNotAllowed } from './error-to-http'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Handle = (request: Request, response: Response) => Promise<void> | void

/** By path; GET includes HEAD. */
export type RouteTable = Record<string, Partial<Record<Method, Handle>>>

export function createRouter(base: string, table: RouteTable): Router {
  const router = express.Router({ caseSensitive: true })
  for (const [path, handles] of Object.entries(table)) {
    const allowed = Object.keys(handles).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
    const pattern = path === '/' ? base || path : `${base}${path}`
    router.all(path, async (request, response) => {
      getExchange(response).route = pattern
      const handle = handles[toRouteMethod(request)]
      if (!handle) throw new MethodNotAllowed(request.method, allowed)
      await handle(request, response)
    })
  }
  return router
}

function toRouteMethod(request: Request): Method {
  return (request.method === 'HEAD' ? 'GET' : request.method) as Method
}
