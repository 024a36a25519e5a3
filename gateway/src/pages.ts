/**
 * Pages for people, no key needed: what `npm run build` has put into `dist/public`. A browser that
 * asks for `/` is led to the dashboard, whose one page stands at every address below it.
 */

import path from 'node:path'
import type { Request } from 'express'
import { createNotFound } from './http/error-to-http'
import type { Handle, RouteTable } from './http/route-table'
import { createFolderRoutes } from './http/static-files'

// The same from the sources and from what was built of them.
const folder = path.join(__dirname, '..', 'dist', 'public')

export function pageRoutes(): RouteTable {
  const files = createFolderRoutes(folder)
  const dashboard = files['/dashboard']?.GET
  return {
    '/': { GET: redirectBrowsers },
    ...files,
    ...(dashboard && { '/dashboard/*address': { GET: requireBrowser(dashboard) } }),
  }
}

const redirectBrowsers: Handle = (request, response) => {
  if (!acceptsHtml(request)) throw createNotFound()
  response.writeHead(302, { Location: '/dashboard', 'Content-Length': 0 }).end()
}

const requireBrowser =
  (page: Handle): Handle =>
  (request, response) => {
    if (!acceptsHtml(request)) throw createNotFound()
    return page(request, response)
  }

/** To a program there is nothing: it has the wrong address, and a page would hide that. */
const acceptsHtml = ({ headers }: Request) => headers.accept?.includes('text/html') ?? false
