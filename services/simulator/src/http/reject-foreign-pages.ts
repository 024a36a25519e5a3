/** No API keys, so pages of other sites are rejected: DNS rebinding and cross-origin requests. */

import { isIP } from 'node:net'
import type { Request, RequestHandler } from 'express'

/** Never in public DNS: names of this machine and of container networks. */
const privateSuffixes = ['localhost', 'local', 'internal', 'svc', 'test']

export function rejectForeignPages(publicUrl: string | undefined): RequestHandler {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  return (request, response, next) => {
    if (!isKnownHost(request.headers.host, publicHost)) {
      const message =
        'This host name is not the simulator’s: use its address, or set SIMULATOR_PUBLIC_URL.'
      response.status(421).json({ code: 'MISDIRECTED_REQUEST', message })
    } else if (isForeignPage(request)) {
      const message = 'Pages of another origin are not allowed to use the simulator.'
      response.status(403).json({ code: 'FOREIGN_ORIGIN', message })
    } else next()
  }
}

/** An address cannot be rebound, nor can a name without a public domain. */
export function isKnownHost(host: string | undefined, publicHost: string | undefined): boolean {
  const name = hostName(host)
  if (name === undefined) return false
  if (name === publicHost || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true
  const labels = name.split('.')
  if (labels.length === 1) return true
  const isCluster = name.endsWith('.svc.cluster.local')
  return isCluster || privateSuffixes.includes(labels.at(-1) ?? '')
}

function hostName(host: string | undefined): string | undefined {
  try {
    return host ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : undefined
  } catch {
    return undefined
  }
}

/** A link to the page of a QR code is allowed. */
function isForeignPage({ method, headers }: Request): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return true
  const site = headers['sec-fetch-site']
  const isLink = method === 'GET' && headers['sec-fetch-mode'] === 'navigate'
  return site !== undefined && site !== 'none' && site !== 'same-origin' && !isLink
}
