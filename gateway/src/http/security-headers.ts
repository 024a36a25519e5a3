import type { ServerResponse } from 'node:http'
import helmet from 'helmet'

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // The service itself speaks plain HTTP; whether to upgrade is up to the proxy that ends TLS.
      upgradeInsecureRequests: null,
      fontSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
})

export const securityHeaders: Readonly<Record<string, string>> = collect()

export function setSecurityHeaders(response: ServerResponse): void {
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name] ?? '')
}

function collect(): Record<string, string> {
  const collected: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (collected[name] = value),
    removeHeader: () => undefined,
  }
  type Given = Parameters<typeof helmetHeaders>
  const [request, given] = [{}, response] as unknown as Given
  helmetHeaders(request, given, () => undefined)
  return collected
}
