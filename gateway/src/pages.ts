/**
 * Pages for people, no key needed: what `npm run build` has put into `dist/public`. A browser that
 * asks for `/` is led to the documentation.
 */

import path from 'node:path'
import { notFound } from './http/refusal-to-http'
import type { Handle, RouteTable } from './http/route-table'
import { folderRoutes } from './http/static-files'

// The same from the sources and from what was built of them.
const folder = path.join(__dirname, '..', 'dist', 'public')

export function pageRoutes(): RouteTable {
  return { '/': { GET: leadBrowsers }, ...folderRoutes(folder) }
}

/** To a program there is nothing: it has the wrong address, and a page would hide that. */
const leadBrowsers: Handle = (request, response) => {
  if (!request.headers.accept?.includes('text/html')) throw notFound()
  response.writeHead(302, { Location: '/docs/guide', 'Content-Length': 0 }).end()
}
