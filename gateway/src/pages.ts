// Pages without a key, which `npm run build` puts into `dist/public`.

import path from 'node:path'
import type { Environment } from '@einvoicing/domain/environment'
import type { Request } from 'express'
import { sendBytes } from './http/envelope'
import { createNotFound } from './http/error-to-http'
import { pagePolicy } from './http/security-headers'
import type { Handle, RouteTable } from './http/route-table'
import { createFolderRoutes } from './http/static-files'

// The same folder from the sources and from their build.
const folder = path.join(__dirname, '..', 'dist', 'public')

export function pageRoutes({ environment }: { environment: Environment }): RouteTable {
  const files = createFolderRoutes(folder)
  const dashboard = files['/dashboard']?.GET && withPagePolicy(files['/dashboard'].GET)
  return {
    '/': { GET: redirectBrowsers },
    ...files,
    ...(dashboard && { '/dashboard': { GET: dashboard } }),
    '/docs/environment.css': { GET: answerEnvironmentStyle(environment) },
    ...(dashboard && { '/dashboard/*address': { GET: requireBrowser(dashboard) } }),
  }
}

/** The pages are built once for every environment; this shows the badge of a test. */
function answerEnvironmentStyle(environment: Environment): Handle {
  const body = environment === 'test' ? '.test-badge { display: inline-block; }\n' : ''
  const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }
  return (_, response) => sendBytes(response, { status: 200, headers, body })
}

const redirectBrowsers: Handle = (request, response) => {
  if (!acceptsHtml(request)) throw createNotFound()
  response.writeHead(302, { Location: '/dashboard', 'Content-Length': 0 }).end()
}

const withPagePolicy =
  (page: Handle): Handle =>
  (request, response) => {
    response.setHeaders(new Map(Object.entries(pagePolicy)))
    return page(request, response)
  }

const requireBrowser =
  (page: Handle): Handle =>
  (request, response) => {
    if (!acceptsHtml(request)) throw createNotFound()
    return page(request, response)
  }

/** A program that requests `/` has the wrong address, which a page would hide. */
const acceptsHtml = ({ headers }: Request) => headers.accept?.includes('text/html') ?? false
