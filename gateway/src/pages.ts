// Pages for people, without a key, from what `npm run build` puts into `dist/public`.

import path from 'node:path'
import type { Request } from 'express'
import { createNotFound } from './http/error-to-http'
import type { Handle, RouteTable } from './http/route-table'
import { createFolderRoutes } from './http/static-files'

// The same folder from the sources and from their build.
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

/** A program that requests `/` has the wrong address, which a page would hide. */
const acceptsHtml = ({ headers }: Request) => headers.accept?.includes('text/html') ?? false
