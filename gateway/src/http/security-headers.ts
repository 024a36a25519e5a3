import type { ServerResponse } from 'node:http'
import helmet from 'helmet'

const directives = {
  // The service speaks plain HTTP; the proxy that ends TLS decides whether to upgrade.
  upgradeInsecureRequests: null,
  fontSrc: ["'self'"],
  styleSrc: ["'self'"],
}

// The page shows a received PDF without an address: a browser puts it into an object.
const pageDirectives = {
  ...directives,
  frameSrc: ["'self'", 'blob:'],
  objectSrc: ["'self'", 'blob:'],
}

type Directives = Record<string, string[] | null>

export const securityHeaders: Readonly<Record<string, string>> = collect(directives)

export const pagePolicy = {
  'Content-Security-Policy': collect(pageDirectives)['Content-Security-Policy'] ?? '',
}

export function setSecurityHeaders(response: ServerResponse): void {
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name] ?? '')
}

function collect(directives: Directives): Record<string, string> {
  const helmetHeaders = helmet({ contentSecurityPolicy: { directives } })
  const collected: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (collected[name] = value),
    removeHeader: () => undefined,
  }
  type Parts = Parameters<typeof helmetHeaders>
  const [request, answer] = [{}, response] as unknown as Parts
  helmetHeaders(request, answer, () => undefined)
  return collected
}
