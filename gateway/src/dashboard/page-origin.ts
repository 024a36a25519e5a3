import type { Request } from 'express'
import type { SessionDeps } from './session'

/**
 * Of the page, which passkeys are bound to: from `PUBLIC_URL`, else what the client addressed. A
 * client that lies about it gets options that its browser refuses.
 */
export function toOrigin(request: Request, { publicUrl }: Pick<SessionDeps, 'publicUrl'>): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  return `${request.protocol}://${request.headers.host ?? ''}`
}
