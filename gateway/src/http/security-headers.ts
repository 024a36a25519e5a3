import type { ServerResponse } from 'node:http'
import helmet from 'helmet'

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // The service starts on plain HTTP; who terminates TLS before it decides for the browser.
      upgradeInsecureRequests: null,
      // Nothing of ours is inline or from elsewhere.
      fontSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
})

export const securityHeaders: Readonly<Record<string, string>> = collect()

export function setSecurityHeaders(response: ServerResponse): void {
  for (const name in securityHeaders) response.setHeader(name, securityHeaders[name] ?? '')
}

// None of them depends on the request, so they are asked for once.
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
