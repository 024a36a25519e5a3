/**
 * Pages for people, no key needed: what `npm run build` has put into `dist/public`. A browser that
 * asks for `/` is led to the dashboard, whose one page stands at every address below it.
 */

import path from 'node:path'
import type { Request } from 'express'
import { notFound } from './http/error-to-http'
import type { Handle, RouteTable } from './http/route-table'
import { folderRoutes } from './http/static-files'

// The same from the sources and from what was built of them.
const folder = path.join(__dirname, '..', 'dist', 'public')

export function pageRoutes(): RouteTable {
  const files = folderRoutes(folder)
  const dashboard = files['/dashboard']?.GET
  return {
    '/': { GET: leadBrowsers },
    ...files,
    ...(dashboard && { '/dashboard/*address': { GET: onlyForBrowsers(dashboard) } }),
  }
}

const leadBrowsers: Handle = (request, response) => {
  if (!asksForPage(request)) throw notFound()
  response.writeHead(302, { Location: '/dashboard', 'Content-Length': 0 }).end()
}

const onlyForBrowsers =
  (page: Handle): Handle =>
  (request, response) => {
    if (!asksForPage(request)) throw notFound()
    return page(request, response)
  }

/** To a program there is nothing: it has the wrong address, and a page would hide that. */
const asksForPage = ({ headers }: Request) => headers.accept?.includes('text/html') ?? false
