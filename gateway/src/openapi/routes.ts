import { sendBytes } from '../http/envelope'
import type { RouteTable } from '../http/route-table'
import { openApiDocument } from './document'

export function openApiRoutes(): RouteTable {
  const body = JSON.stringify(openApiDocument())
  return {
    '/openapi.json': {
      GET: (_, response) =>
        sendBytes(response, {
          status: 200,
          headers: {
            'Content-Type': 'application/json; charset=utf-8',
            'Cache-Control': 'no-cache',
          },
          body,
        }),
    },
  }
}
